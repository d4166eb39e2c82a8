// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<half> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::LocalTensor<half> src1(AscendC::TPosition::VECIN, 4096, 1024);
  AscendC::LocalTensor<uint8_t> bits(AscendC::TPosition::VECOUT, 8192, 1024);
  AscendC::Compare(bits, src0, src1, AscendC::CMPMODE::LT, 256);
  uint64_t t = (uint64_t)mask;
  AscendC::Compare<half, uint8_t, false>(bits, src0, src1, AscendC::CMPMODE::GE, t, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 8, 8, 8));
  uint64_t mask_1[2] = {low, high};
  AscendC::Compare<half, uint8_t, true>(bits, src0, src1, AscendC::CMPMODE::NE, mask_1, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 8, (uint8_t)stride, 8));
  AscendC::Compare<half, true>(src0, src1, AscendC::CMPMODE::EQ, t, AscendC::BinaryRepeatParams(1, 1, 1, 8, 8, 8));
  uint64_t mask_2[2] = {low, high};
  AscendC::Compare<half, false>(src0, src1, AscendC::CMPMODE::GT, mask_2, AscendC::BinaryRepeatParams(1, 1, 1, 8, 8, 8));
}
