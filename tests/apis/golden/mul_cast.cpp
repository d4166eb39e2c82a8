// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<half> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::LocalTensor<half> src1(AscendC::TPosition::VECIN, 4096, 1024);
  AscendC::LocalTensor<int8_t> byte(AscendC::TPosition::VECOUT, 16384, 1024);
  AscendC::MulCast(byte, src0, src1, count);
  AscendC::MulCast(byte, src0, src1, (uint64_t)mask, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 4, 8, 8));
  uint64_t mask_1[2] = {low, high};
  AscendC::MulCast(byte, src0, src1, mask_1, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 8, (uint8_t)stride, 8));
}
