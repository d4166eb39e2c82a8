// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::LocalTensor<half> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::LocalTensor<uint32_t> offset(AscendC::TPosition::VECIN, 8192, 1024);
  uint32_t t = (uint32_t)count;
  AscendC::Gather(dst, src0, offset, 0, t);
  AscendC::Gather(dst, src0, offset, t, 64);
  AscendC::Gather(dst, src0, offset, 32, (uint64_t)mask, (uint8_t)repeats, (uint16_t)stride);
  uint64_t mask_1[2] = {low, high};
  AscendC::Gather(dst, src0, offset, 0, mask_1, 2, 8);
}
