// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t n)
{
  AscendC::GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)x, 256);
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 2> q;
  pipe.InitBuffer(q, 2, 64);
  AscendC::LocalTensor<half> t = q.AllocTensor<half>();
  t.SetUserTag(n);
  AscendC::LocalTensor<half> t_1 = t;
  t_1.SetSize(16);
  q.EnQue(t_1);
  AscendC::LocalTensor<half> u = q.DeQue<half>();
  AscendC::LocalTensor<half> u_1 = u;
  u_1.SetBufferLen(n);
  AscendC::LocalTensor<int32_t> v;
  v.SetAddrWithOffset(u_1, n);
  int32_t t_2 = u_1.GetUserTag();
  gm.SetValue(0, t_2);
  AscendC::LocalTensor<int32_t> t_3 = v[3];
  t_3.SetSize(1);
  gm.SetValue(1, (int32_t)t_3.GetSize());
  AscendC::GlobalTensor<int32_t> t_4;
  t_4.SetGlobalBuffer(gm[n].GetPhyAddr(), 1);
  int32_t t_5 = t_4.GetValue(0);
  gm.SetValue(2, t_5);
  AscendC::LocalTensor<int32_t> tmp;
  AscendC::PopStackBuffer<int32_t, AscendC::TPosition::VECCALC>(tmp);
  AscendC::Duplicate(tmp, 1, 8);
  q.FreeTensor(u_1);
}
