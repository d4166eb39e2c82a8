// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t n, int64_t wide, float scalar)
{
  AscendC::TPipe pipe;
  AscendC::TBufPool<AscendC::TPosition::VECCALC, 8> pool;
  AscendC::TBufPool<AscendC::TPosition::VECIN, 4> inner;
  AscendC::TBufPool<AscendC::TPosition::VECIN, 2> other;
  AscendC::TQue<AscendC::TPosition::VECIN, 2> queue;
  pipe.InitBufPool(pool, 8192);
  pool.InitBuffer(queue, 2, 512);
  AscendC::TBuf<AscendC::TPosition::VECCALC> buf;
  pool.InitBuffer(buf, 512);
  AscendC::TBuf<AscendC::TPosition::VECCALC> buf_1;
  pool.InitBuffer(buf_1, n);
  pool.InitBufPool(inner, 2048);
  pool.InitBufPool(other, 1024, inner);
  pool.Reset();
}
