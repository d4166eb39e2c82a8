// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, int32_t scalar)
{
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  AscendC::InitSocState();
  AscendC::GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
  AscendC::LocalTensor<int32_t> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::SyncAll<true>();
  AscendC::SyncAll<false>();
  AscendC::SyncAll<true>(gm, dst, 0);
  AscendC::SyncAll<false>(gm, dst, count);
}
