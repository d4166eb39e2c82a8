// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t n, int64_t wide, float scalar)
{
  AscendC::GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 2> queue;
  pipe.InitBuffer(queue, 2, 512);
  AscendC::LocalTensor<int32_t> x_1 = queue.AllocTensor<int32_t>();
  AscendC::DataCopy(x_1, gm, 128);
  queue.EnQue(x_1);
  AscendC::LocalTensor<int32_t> x_2 = queue.DeQue<int32_t>();
  queue.FreeTensor(x_2);
  AscendC::LocalTensor<int32_t> y = queue.AllocTensor<int32_t>();
  queue.EnQue(y[n]);
  AscendC::LocalTensor<int32_t> z = queue.DeQue<int32_t>();
  AscendC::LocalTensor<int32_t> t = z[8];
  queue.FreeTensor(t);
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> output;
  pipe.InitBuffer(output, 1, 512);
  AscendC::LocalTensor<float> t_1 = output.AllocTensor<float>();
  output.EnQue(t_1);
  AscendC::LocalTensor<float> t_2 = output.DeQue<float>();
  output.FreeTensor(t_2);
  while (true) {
    bool t_3;
    if (queue.HasIdleBuffer()) {
      t_3 = queue.VacantInQue();
    } else {
      t_3 = false;
    }
    if (!t_3) break;
    AscendC::LocalTensor<half> t_4 = queue.AllocTensor<half>();
    queue.EnQue(t_4);
  }
  while (queue.HasTensorInQue()) {
    AscendC::LocalTensor<half> t_5 = queue.DeQue<half>();
    queue.FreeTensor(t_5);
  }
  bool t_6 = queue.VacantInQue();
  if (!t_6) {
    int32_t t_7 = queue.GetTensorCountInQue();
    gm.SetValue(n, t_7);
  }
  queue.FreeAllEvent();
}
