// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, int32_t scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<uint16_t> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::LocalTensor<uint16_t> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::LocalTensor<uint32_t> offset(AscendC::TPosition::VECIN, 8192, 1024);
  AscendC::Gatherb(dst, src0, offset, (uint8_t)repeats, AscendC::GatherRepeatParams(1, (uint16_t)stride));
  AscendC::Gatherb(dst, src0, offset, 2, AscendC::GatherRepeatParams(1, 8));
}
