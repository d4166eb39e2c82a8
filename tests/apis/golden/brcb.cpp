// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::LocalTensor<half> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::Brcb(dst, src0, (uint8_t)repeats, AscendC::BrcbRepeatParams(1, (uint16_t)stride));
  AscendC::Brcb(dst, src0, 2, AscendC::BrcbRepeatParams(1, 8));
}
