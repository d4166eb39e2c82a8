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
  AscendC::DataCopy(dst, gm, AscendC::DataCopyParams(1, 8, 0, 0), AscendC::DataCopyEnhancedParams(AscendC::BlockMode::BLOCK_MODE_MATRIX, AscendC::DeqScale::DEQ_NONE, 0, 0, true, AscendC::pad_t::PAD_NONE, 0));
  AscendC::DataCopy(dst, gm, AscendC::Nd2NzParams(1, 16, 32, 0, t, 16, 1, 0));
  AscendC::DataCopy(gm, dst, AscendC::Nz2NdParamsFull(1, 16, 32, 1, 16, t, 1));
  uint32_t t_1 = (uint32_t)stride;
  AscendC::SliceInfo slice_list1[1] = {{0, 31, 0, 2, 32}};
  AscendC::SliceInfo slice_list2[1] = {{t_1, 31, t_1, 2, 64}};
  AscendC::DataCopy(dst, gm, slice_list1, slice_list2, 1);
  AscendC::SliceInfo slice_list1_1[2] = {{0, 15, 0, 1, 16}, {0, 15, 0, 1, 16}};
  AscendC::SliceInfo slice_list2_1[2] = {{0, 15, 0, 1, 16}, {0, 15, 0, 1, 16}};
  AscendC::DataCopy(gm, dst, slice_list1_1, slice_list2_1, (uint32_t)count);
}
