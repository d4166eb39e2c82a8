// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::LocalTensor<half> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::Ln(dst, src0, count);
  AscendC::Ln(dst, src0, 64);
  AscendC::Ln<half, true>(dst, src0, (uint64_t)mask, repeats, AscendC::UnaryRepeatParams(1, 1, 8, 8));
  uint64_t mask_1[2] = {low, high};
  AscendC::Ln<half, false>(dst, src0, mask_1, repeats, AscendC::UnaryRepeatParams(1, 1, 8, (uint8_t)stride));
}
