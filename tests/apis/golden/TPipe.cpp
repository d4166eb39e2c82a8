// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
__aicore__ inline void fill(AscendC::TPipe& pipe, AscendC::TQue<AscendC::TPosition::VECIN, 2>& queue, AscendC::TBuf<AscendC::TPosition::VECCALC>& buf, AscendC::TBufPool<AscendC::TPosition::VECCALC, 4>& pool, int32_t count)
{
  pipe.InitBuffer(queue, 1, 512);
  pool.InitBuffer(buf, 512);
  AscendC::LocalTensor<half> t = buf.Get<half>();
  AscendC::Duplicate(t, (half)1.0f, count);
}
__aicore__ inline void fill_1(AscendC::TPipe& pipe, AscendC::TQue<AscendC::TPosition::VECIN, 2>& queue, AscendC::TBuf<AscendC::TPosition::VECCALC>& buf, AscendC::TBufPool<AscendC::TPosition::VECIN, 8>& pool, int32_t count)
{
  pipe.InitBuffer(queue, 1, 512);
  pool.InitBuffer(buf, 512);
  AscendC::LocalTensor<half> t = buf.Get<half>();
  AscendC::Duplicate(t, (half)1.0f, count);
}
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t n, int64_t wide, float scalar)
{
  AscendC::GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 2> queue;
  AscendC::TBuf<AscendC::TPosition::VECCALC> buf;
  AscendC::TBufPool<AscendC::TPosition::VECCALC, 4> pool;
  AscendC::TBufPool<AscendC::TPosition::VECIN, 8> other;
  pipe.InitBuffer(queue, 2, 512);
  AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1> queue_1;
  pipe.InitBuffer(queue_1, n, wide);
  pipe.InitBuffer(buf, n * 32);
  pipe.InitBufPool(pool, 8192);
  pipe.InitBufPool(other, wide, pool);
  int32_t id = pipe.AllocEventID<AscendC::HardEvent::MTE2_V>();
  AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(id);
  AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(id);
  pipe.ReleaseEventID<AscendC::HardEvent::MTE2_V>(id);
  int32_t t = pipe.AllocEventID<AscendC::HardEvent::V_S>();
  pipe.ReleaseEventID<AscendC::HardEvent::V_S>(t);
  int32_t t_1 = pipe.GetBaseAddr((int8_t)AscendC::TPosition::VECIN);
  int32_t t_2 = pipe.FetchEventID<AscendC::HardEvent::V_S>();
  gm.SetValue(t_1, t_2);
  AscendC::TQue<AscendC::TPosition::VECIN, 2> queue_2;
  AscendC::TBuf<AscendC::TPosition::VECCALC> buf_1;
  fill(pipe, queue_2, buf_1, pool, n);
  AscendC::TPipe& again = *AscendC::GetTPipePtr();
  AscendC::TQue<AscendC::TPosition::VECIN, 2> queue_3;
  AscendC::TBuf<AscendC::TPosition::VECCALC> buf_2;
  fill_1(again, queue_3, buf_2, other, n);
  again.Reset();
  pipe.Init();
  pipe.Destroy();
}
