// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::LocalTensor<half> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::LocalTensor<half> src1(AscendC::TPosition::VECIN, 4096, 1024);
  AscendC::LocalTensor<float> single(AscendC::TPosition::VECOUT, 8192, 1024);
  AscendC::MulAddDst(dst, src0, src1, count);
  int64_t t = (int64_t)mask;
  AscendC::MulAddDst<half, half, false>(dst, src0, src1, t, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 4, 8, 8));
  uint8_t t_1 = (uint8_t)stride;
  uint64_t mask_1[2] = {low, high};
  AscendC::MulAddDst<half, half, true>(dst, src0, src1, mask_1, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 8, t_1, 8));
  AscendC::MulAddDst(single, src0, src1, count);
  AscendC::MulAddDst<float, half, false>(single, src0, src1, t, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 4, 8, 8));
  uint64_t mask_2[2] = {low, high};
  AscendC::MulAddDst<float, half, true>(single, src0, src1, mask_2, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 8, t_1, 8));
}
