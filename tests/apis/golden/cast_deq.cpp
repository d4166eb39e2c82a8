// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::LocalTensor<int8_t> byte(AscendC::TPosition::VECOUT, 16384, 1024);
  AscendC::LocalTensor<int16_t> word(AscendC::TPosition::VECIN, 24576, 1024);
  AscendC::LocalTensor<int32_t> v_long(AscendC::TPosition::VECIN, 28672, 1024);
  AscendC::CastDeq<int8_t, int16_t, true, true>(byte, word, count);
  AscendC::CastDeq<int8_t, int16_t, false, false>(byte, word, count);
  AscendC::CastDeq<half, int32_t, true, true, true>(dst, v_long, (uint64_t)mask, repeats, AscendC::UnaryRepeatParams(1, 1, 4, 8));
  uint64_t mask_1[2] = {low, high};
  AscendC::CastDeq<int8_t, int16_t, false, true, false>(byte, word, mask_1, repeats, AscendC::UnaryRepeatParams(1, 1, 8, (uint8_t)stride));
}
