// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::GlobalTensor<half> gm;
  gm.SetGlobalBuffer((__gm__ half*)x, 1024);
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::DataCopyPad(dst, gm, AscendC::DataCopyExtParams(1, 40, 0, 0, 0), AscendC::DataCopyPadExtParams<half>(true, 0, 12, (half)0.5f));
  uint32_t t = (uint32_t)count;
  AscendC::DataCopyPad(dst, gm[3], AscendC::DataCopyExtParams(2, t, (uint32_t)stride, 1, 0), AscendC::DataCopyPadExtParams<half>(false, 0, 0, (half)0.0f));
  AscendC::DataCopyPad(dst, gm, AscendC::DataCopyExtParams(2, 6, 0, 0, 0), AscendC::DataCopyPadExtParams<half>(mask > 3, 1, (uint8_t)repeats, (half)scalar));
  AscendC::DataCopyPad(gm, dst, AscendC::DataCopyExtParams(1, t, 0, 0, 0));
  AscendC::DataCopyPad(dst, gm, AscendC::DataCopyParams(1, 40, 0, 0), AscendC::DataCopyPadParams(true, 0, 12, 7));
  AscendC::DataCopyPad(gm, dst, AscendC::DataCopyParams(2, (uint16_t)count, (uint16_t)stride, 0));
}
