// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::GlobalTensor<half> gm;
  gm.SetGlobalBuffer((__gm__ half*)x, 1024);
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  gm.SetValue(0, AscendC::ScalarCast<float, half, AscendC::RoundMode::CAST_ODD>(scalar));
  int32_t i = AscendC::ScalarCast<float, int32_t, AscendC::RoundMode::CAST_RINT>(scalar * 2.0f);
  AscendC::DataCopy(dst, gm[i], count);
}
