// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t n, int64_t wide, float scalar)
{
  AscendC::GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
  AscendC::ListTensorDesc listed;
  listed.Init((__gm__ int32_t*)x, 4294967295u, 4294967295u);
  AscendC::TensorDesc<int32_t> desc;
  uint64_t shape[4];
  desc.SetShapeAddr(shape);
  for (int32_t i = 0; i < n; ++i) {
    listed.GetDesc(desc, i);
    uint64_t t = desc.GetDim();
    uint64_t t_1 = desc.GetIndex();
    gm.SetValue(i, (int32_t)(t + t_1));
    int64_t t_2 = desc.GetShape(i);
    gm.SetValue(i + 1, (int32_t)t_2);
  }
  AscendC::GlobalTensor<int32_t> part = desc.GetDataObj();
  part.SetValue(0, 1);
  __gm__ int32_t* t_3 = desc.GetDataPtr();
  AscendC::GlobalTensor<int32_t> gm_1;
  gm_1.SetGlobalBuffer(t_3, n);
  gm_1.SetValue(1, 2);
  AscendC::TensorDesc<float> plain;
  plain.SetShapeAddr((uint64_t*)(uint64_t)wide);
}
