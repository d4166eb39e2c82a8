// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, int32_t scalar)
{
  AscendC::InitSocState();
  AscendC::GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
  AscendC::LocalTensor<int32_t> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::IBWait<true>(gm, dst, 0, 1);
  AscendC::IBWait<false>(gm, dst, count, mask);
}
