// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::SetPadValue<int32_t, AscendC::TPosition::MAX>(7);
  AscendC::SetPadValue<int32_t, AscendC::TPosition::VECIN>(count);
  AscendC::SetPadValue<float, AscendC::TPosition::MAX>(0.5f);
  AscendC::SetPadValue<float, AscendC::TPosition::VECOUT>(scalar);
  AscendC::SetPadValue<half, AscendC::TPosition::MAX>((half)0.5f);
  AscendC::SetPadValue<bfloat16_t, AscendC::TPosition::MAX>(AscendC::ToBfloat16(scalar));
}
