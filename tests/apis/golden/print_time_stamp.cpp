// Ascend C of the kernel kernel, made by pyasc.
#define ASCENDC_TIME_STAMP_ON
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::PrintTimeStamp(65577);
  AscendC::PrintTimeStamp(count);
}
