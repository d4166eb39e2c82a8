// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::LocalTensor<int32_t> sum0(AscendC::TPosition::VECIN, 8192, 1024);
  AscendC::LocalTensor<int32_t> sum1(AscendC::TPosition::VECIN, 16384, 1024);
  AscendC::AddDeqRelu(dst, sum0, sum1, count);
  AscendC::AddDeqRelu<half, int32_t, false>(dst, sum0, sum1, (int64_t)mask, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 4, 8, 8));
  uint64_t mask_1[2] = {low, high};
  AscendC::AddDeqRelu<half, int32_t, true>(dst, sum0, sum1, mask_1, repeats, AscendC::BinaryRepeatParams(1, 1, 1, 8, (uint8_t)stride, 8));
}
