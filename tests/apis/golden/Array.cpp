// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
__aicore__ inline void fill_array(int32_t (&values)[8], int32_t n)
{
  int32_t t = values[0];
  values[n] = t + 1;
}
__aicore__ inline void fill_array_1(float (&values)[3])
{
  float t = values[0];
  values[2] = t + 1.0f;
}
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t n, int64_t wide, float scalar)
{
  AscendC::GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
  int32_t a[8];
  half b[4] = {};
  uint8_t c[4];
  for (uint32_t i = 0; i < 4; ++i) c[i] = (uint8_t)n;
  float d[3] = {scalar, 0.5f, (float)n};
  a[0] = 1;
  a[n] = n;
  int32_t t = a[wide];
  int32_t t_1 = a[0];
  a[wide] = t + t_1 * 2;
  b[1] = (half)scalar;
  int32_t t_2 = a[0];
  c[3] = (uint8_t)t_2;
  fill_array(a, n);
  fill_array_1(d);
  for (int32_t i_1 = 0; i_1 < n; ++i_1) {
    bool fresh[2] = {};
    float t_3 = d[1];
    half t_4 = b[1];
    fresh[0] = t_3 > (float)t_4;
    bool t_5 = fresh[0];
    gm.SetValue(i_1, (int32_t)t_5);
  }
}
