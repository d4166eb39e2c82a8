// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, int32_t scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<int16_t> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::LocalTensor<int16_t> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::ShiftRight<int16_t, true>(dst, src0, (int16_t)3, count);
  int16_t t = (int16_t)scalar;
  AscendC::ShiftRight<int16_t, false>(dst, src0, t, count);
  AscendC::ShiftRight<int16_t, true>(dst, src0, (int16_t)2, (int64_t)mask, repeats, AscendC::UnaryRepeatParams(1, 1, 8, 8));
  uint64_t mask_1[2] = {low, high};
  AscendC::ShiftRight<int16_t, false>(dst, src0, t, mask_1, repeats, AscendC::UnaryRepeatParams(1, 1, 8, (uint8_t)stride));
}
