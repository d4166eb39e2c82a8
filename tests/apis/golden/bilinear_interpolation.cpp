// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::LocalTensor<half> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::LocalTensor<uint32_t> offset(AscendC::TPosition::VECIN, 8192, 32);
  AscendC::LocalTensor<half> weights(AscendC::TPosition::VECIN, 8704, 64);
  AscendC::LocalTensor<uint8_t> tmp(AscendC::TPosition::VECCALC, 16384, 65536);
  AscendC::BilinearInterpolation(dst, src0, offset, weights, 128, 2, false, 1, 128, 2, tmp);
  uint8_t t = (uint8_t)repeats;
  AscendC::BilinearInterpolation(dst, src0, offset, weights, (uint64_t)mask, t, mask > 3, (uint16_t)stride, (uint16_t)count, 2, tmp);
  uint64_t mask_1[2] = {low, high};
  AscendC::BilinearInterpolation(dst, src0, offset, weights, mask_1, 2, true, 1, 128, t, tmp);
}
