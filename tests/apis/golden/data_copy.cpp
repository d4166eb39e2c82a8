// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::GlobalTensor<half> gm;
  gm.SetGlobalBuffer((__gm__ half*)x, 1024);
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::LocalTensor<half> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::DataCopy(dst, gm, 128);
  AscendC::DataCopy(gm, dst, count);
  AscendC::DataCopy(dst, src0[128], count);
  AscendC::DataCopy(dst, gm[count], AscendC::DataCopyParams(2, 3, 1, 2));
  uint16_t t = (uint16_t)stride;
  AscendC::DataCopy(gm, dst, AscendC::DataCopyParams(1, t, 0, 0));
  AscendC::DataCopy(dst, src0, AscendC::DataCopyParams(2, 3, t, 2));
}
