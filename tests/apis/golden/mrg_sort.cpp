// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::GlobalTensor<half> gm;
  gm.SetGlobalBuffer((__gm__ half*)x, 1024);
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::LocalTensor<half> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::LocalTensor<half> t = src0[128];
  AscendC::LocalTensor<half> t_1 = src0[256];
  AscendC::LocalTensor<half> t_2 = src0[384];
  uint16_t element_lengths[4] = {32, 32, 0, 0};
  AscendC::MrgSort<half>(dst, AscendC::MrgSortSrcList<half>(src0, t, src0, src0), AscendC::MrgSort4Info(element_lengths, false, 3, 1));
  uint16_t t_3 = (uint16_t)count;
  uint16_t element_lengths_1[4] = {32, t_3, 7, 0};
  AscendC::MrgSort<half>(dst, AscendC::MrgSortSrcList<half>(src0, t, t_1, src0), AscendC::MrgSort4Info(element_lengths_1, true, 7, 1));
  uint16_t element_lengths_2[4] = {8, 8, 8, 8};
  AscendC::MrgSort<half>(dst, AscendC::MrgSortSrcList<half>(src0, t, t_1, t_2), AscendC::MrgSort4Info(element_lengths_2, false, 15, 1));
  uint16_t element_count_list[4] = {32, 32, 0, 0};
  uint32_t result[4];
  AscendC::MrgSort<half, false>(dst, AscendC::MrgSortSrcList<half>(src0, t, src0, src0), element_count_list, result, 3, 1);
  uint16_t element_count_list_1[4] = {32, t_3, 7, 0};
  uint32_t result_1[4];
  AscendC::MrgSort<half, true>(dst, AscendC::MrgSortSrcList<half>(src0, t, t_1, src0), element_count_list_1, result_1, 7, repeats);
  uint16_t element_count_list_2[4] = {8, 8, 8, 8};
  uint32_t result_2[4];
  AscendC::MrgSort<half, false>(dst, AscendC::MrgSortSrcList<half>(src0, t, t_1, t_2), element_count_list_2, result_2, 15, 1);
  AscendC::DataCopy(dst, gm[(int64_t)((result_2[0] + result_2[1] + result_2[2] + result_2[3]) * 16)], count);
}
