// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::GlobalTensor<half> gm;
  gm.SetGlobalBuffer((__gm__ half*)x, 1024);
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::LocalTensor<half> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::LocalTensor<uint16_t> bits(AscendC::TPosition::VECIN, 8192, 64);
  uint64_t result = 0;
  AscendC::GatherMask(dst, src0, 2, false, 0, AscendC::GatherMaskParams(1, (uint16_t)repeats, 8, 0), result);
  uint64_t result_1 = 0;
  AscendC::GatherMask(dst, src0, (uint8_t)mask, mask > 3, (uint32_t)count, AscendC::GatherMaskParams(1, 2, (uint16_t)stride, 0), result_1);
  uint64_t kept = 0;
  AscendC::GatherMask(dst, src0, bits, true, 70, AscendC::GatherMaskParams(1, 1, 0, 0), kept);
  AscendC::DataCopy(dst, gm[(int64_t)(kept * 16)], count);
}
