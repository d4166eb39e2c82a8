// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::SetHcclContext<1>((GM_ADDR)(__gm__ half*)x);
  __gm__ uint8_t* context = AscendC::GetHcclContext<1>();
  AscendC::SetHcclContext<0>(context);
  assert((uint32_t)count < 2, "the index of a context is %d, expected 0 or 1", count);
  if (count == 0) {
    AscendC::SetHcclContext<0>((GM_ADDR)(__gm__ half*)x);
  } else {
    AscendC::SetHcclContext<1>((GM_ADDR)(__gm__ half*)x);
  }
}
