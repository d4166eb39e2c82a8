// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

// A structure passed by value: its bytes are in global memory.
template <typename T> __aicore__ inline void pyasc_read(T& to, GM_ADDR from)
{
  for (uint32_t i = 0; i < sizeof(T); ++i) reinterpret_cast<uint8_t*>(&to)[i] = from[i];
}
__aicore__ inline void take(TCubeTiling& tiling, int32_t n)
{
  tiling.shareL1Size = n;
}
extern "C" __global__ __aicore__ void kernel(GM_ADDR out, GM_ADDR p_gm, int32_t n)
{
  TCubeTiling p;
  pyasc_read(p, p_gm);
  AscendC::GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)out, 8);
  int32_t t = p.M;
  int32_t t_1 = p.Ka;
  gm.SetValue(0, t * 100 + t_1);
  take(p, n);
  int32_t t_2 = p.transLength;
  p.transLength = t_2 + 3;
  int32_t t_3 = p.shareL1Size;
  gm.SetValue(1, t_3);
  int32_t t_4 = p.transLength;
  gm.SetValue(2, t_4);
  TCubeTiling own = {4, 64, n, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0};
  int32_t t_5 = own.N;
  int32_t t_6 = own.usedCoreNum;
  own.CLayoutInfoS1 = t_5 + t_6;
  int32_t t_7 = own.CLayoutInfoS1;
  int32_t t_8 = own.BatchNum;
  gm.SetValue(3, t_7 * 1000 + t_8);
  int32_t t_9 = p.mxTypePara;
  gm.SetValue(4, t_9);
}
