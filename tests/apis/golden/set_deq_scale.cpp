// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<uint64_t> vdeq(AscendC::TPosition::VECCALC, 8192, 16);
  AscendC::SetDeqScale((half)0.5f);
  AscendC::SetDeqScale((half)scalar);
  AscendC::SetDeqScale(0.5f, 3, true);
  int16_t t = (int16_t)count;
  AscendC::SetDeqScale(scalar, t, mask > 3);
  float scale[16] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
  int16_t offset[16] = {t, t, t, t, t, t, t, t, t, t, t, t, t, t, t, t};
  bool sign_mode[16] = {true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false};
  AscendC::SetDeqScale<uint64_t>(vdeq, AscendC::VdeqInfo(scale, offset, sign_mode));
}
