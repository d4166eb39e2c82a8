// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::Duplicate(dst, (half)18.0f, count);
  AscendC::Duplicate<half, true>(dst, (half)scalar, (uint64_t)mask, repeats, 1, 8);
  uint64_t mask_1[2] = {low, high};
  AscendC::Duplicate<half, false>(dst, (half)0.099975586f, mask_1, repeats, stride, 8);
}
