// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t n, int64_t wide, float scalar)
{
  AscendC::TPipe pipe;
  AscendC::TBuf<AscendC::TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 1024);
  AscendC::LocalTensor<half> t = buf.Get<half>();
  AscendC::Duplicate(t, (half)scalar, n);
  AscendC::LocalTensor<float> a = buf.Get<float>(64);
  AscendC::LocalTensor<float> b = buf.Get<float>(n);
  AscendC::LocalTensor<float> c = buf.Get<float>();
  AscendC::LocalTensor<float> d = buf.Get<float>(n);
  AscendC::LocalTensor<float> e = buf.GetWithOffset<float>(64, 512);
  AscendC::LocalTensor<int16_t> f = buf.GetWithOffset<int16_t>(n, n * 32);
}
