// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::SetSysWorkspace((GM_ADDR)((__gm__ half*)x + count));
  __gm__ uint8_t* t = AscendC::GetSysWorkSpacePtr();
  AscendC::GlobalTensor<uint8_t> bytes;
  bytes.SetGlobalBuffer(t + 64, 16);
  bytes.SetValue(0, (uint8_t)1);
}
