// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::LocalTensor<half> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::LocalTensor<half> src1(AscendC::TPosition::VECIN, 4096, 1024);
  AscendC::LocalTensor<uint8_t> bits(AscendC::TPosition::VECOUT, 8192, 1024);
  AscendC::Select(dst, bits, src0, (half)0.5f, AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE, count);
  AscendC::Select(dst, bits, src0, src1, AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
  uint64_t mask_1[2] = {low, high};
  AscendC::Select<half, uint8_t, true>(dst, bits, src0, (half)scalar, AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE, mask_1, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 8, 8, 8));
  uint64_t t = (uint64_t)mask;
  AscendC::Select<half, uint8_t, false>(dst, bits, src0, (half)2.0f, AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE, t, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 8, 8, 8));
  AscendC::Select<half, uint8_t>(dst, bits, src0, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 8, 8, 8));
  uint64_t mask_2[2] = {low, high};
  AscendC::Select<half, uint8_t, true>(dst, bits, src0, src1, AscendC::SELMODE::VSEL_CMPMASK_SPR, mask_2, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 8, 8, 8));
  AscendC::Select<half, uint8_t, true>(dst, bits, src0, src1, AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE, t, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 8, 8, 8));
  AscendC::Select<half, AscendC::SELMODE::VSEL_CMPMASK_SPR>(dst, src0, src1, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 8, (uint8_t)stride, 8));
}
