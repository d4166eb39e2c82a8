// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  AscendC::CrossCoreSetFlag<0, PIPE_MTE3>(5);
  AscendC::CrossCoreSetFlag<2, PIPE_V>(count);
}
