// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t n, int64_t wide, float scalar)
{
  AscendC::InitSocState();
  AscendC::GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
  AscendC::LocalTensor<half> t(AscendC::TPosition::VECIN, 0, 64);
  uint32_t shape[2] = {8, (uint32_t)n};
  int32_t v_signed[2] = {n, 8};
  AscendC::ShapeInfo info(2, shape, 2, shape, AscendC::DataFormat::ND);
  AscendC::ShapeInfo other(2, (uint32_t*)v_signed, 2, shape, AscendC::DataFormat::NZ);
  t.SetShapeInfo(info);
  AscendC::ShapeInfo info_1(2, (uint32_t*)v_signed, 2, (uint32_t*)v_signed, AscendC::DataFormat::NCHW);
  gm.SetShapeInfo(info_1);
  AscendC::ShapeInfo same = t.GetShapeInfo();
  AscendC::LocalTensor<half> same_two(AscendC::TPosition::VECIN, 128, 64);
  same_two.SetShapeInfo(other);
  AscendC::ShapeInfo info_2;
  same_two.SetShapeInfo(info_2);
  AscendC::ShapeInfo t_1 = gm.GetShapeInfo();
  gm.SetValue(same.shape[0], (int32_t)t_1.originalShape[n]);
}
