// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<half> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::LocalTensor<uint8_t> bits(AscendC::TPosition::VECOUT, 8192, 1024);
  AscendC::CompareScalar(bits, src0, (half)0.5f, AscendC::CMPMODE::LT, 256);
  AscendC::CompareScalar<half, uint8_t, false>(bits, src0, (half)scalar, AscendC::CMPMODE::LE, (uint64_t)mask, repeats, AscendC::UnaryRepeatParams(1, 1, 8, 8));
  uint64_t mask_1[2] = {low, high};
  AscendC::CompareScalar<half, uint8_t, true>(bits, src0, (half)2.0f, AscendC::CMPMODE::NE, mask_1, repeats, AscendC::UnaryRepeatParams(1, 1, 8, (uint8_t)stride));
}
