// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::LocalTensor<half> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::LocalTensor<half> t = src0[0];
  AscendC::LocalTensor<half> t_1 = src0[16];
  AscendC::LocalTensor<half> t_2 = src0[32];
  AscendC::LocalTensor<half> t_3 = src0[48];
  AscendC::LocalTensor<half> t_4 = src0[64];
  AscendC::LocalTensor<half> t_5 = src0[80];
  AscendC::LocalTensor<half> t_6 = src0[96];
  AscendC::LocalTensor<half> t_7 = src0[112];
  AscendC::LocalTensor<half> t_8 = src0[128];
  AscendC::LocalTensor<half> t_9 = src0[144];
  AscendC::LocalTensor<half> t_10 = src0[160];
  AscendC::LocalTensor<half> t_11 = src0[176];
  AscendC::LocalTensor<half> t_12 = src0[192];
  AscendC::LocalTensor<half> t_13 = src0[208];
  AscendC::LocalTensor<half> t_14 = src0[224];
  AscendC::LocalTensor<half> t_15 = src0[240];
  AscendC::LocalTensor<half> t_16 = dst[0];
  AscendC::LocalTensor<half> t_17 = dst[16];
  AscendC::LocalTensor<half> t_18 = dst[32];
  AscendC::LocalTensor<half> t_19 = dst[48];
  AscendC::LocalTensor<half> t_20 = dst[64];
  AscendC::LocalTensor<half> t_21 = dst[80];
  AscendC::LocalTensor<half> t_22 = dst[96];
  AscendC::LocalTensor<half> t_23 = dst[112];
  AscendC::LocalTensor<half> t_24 = dst[128];
  AscendC::LocalTensor<half> t_25 = dst[144];
  AscendC::LocalTensor<half> t_26 = dst[160];
  AscendC::LocalTensor<half> t_27 = dst[176];
  AscendC::LocalTensor<half> t_28 = dst[192];
  AscendC::LocalTensor<half> t_29 = dst[208];
  AscendC::LocalTensor<half> t_30 = dst[224];
  AscendC::LocalTensor<half> t_31 = dst[240];
  AscendC::LocalTensor<half> dst_list[16] = {t_16, t_17, t_18, t_19, t_20, t_21, t_22, t_23, t_24, t_25, t_26, t_27, t_28, t_29, t_30, t_31};
  AscendC::LocalTensor<half> src_list[16] = {t, t_1, t_2, t_3, t_4, t_5, t_6, t_7, t_8, t_9, t_10, t_11, t_12, t_13, t_14, t_15};
  AscendC::TransDataTo5HD<half>(dst_list, src_list, AscendC::TransDataTo5HDParams(false, false, 1, 0, 0));
  AscendC::LocalTensor<half> dst_list_1[16] = {t, t_1, t_2, t_3, t_4, t_5, t_6, t_7, t_8, t_9, t_10, t_11, t_12, t_13, t_14, t_15};
  AscendC::LocalTensor<half> src_list_1[16] = {dst, dst, dst, dst, dst, dst, dst, dst, dst, dst, dst, dst, dst, dst, dst, dst};
  AscendC::TransDataTo5HD<half>(dst_list_1, src_list_1, AscendC::TransDataTo5HDParams(false, false, (uint8_t)repeats, 16, (uint16_t)stride));
  uint64_t dst_list_2[16] = {t_16.GetPhyAddr(), t_17.GetPhyAddr(), t_18.GetPhyAddr(), t_19.GetPhyAddr(), t_20.GetPhyAddr(), t_21.GetPhyAddr(), t_22.GetPhyAddr(), t_23.GetPhyAddr(), t_24.GetPhyAddr(), t_25.GetPhyAddr(), t_26.GetPhyAddr(), t_27.GetPhyAddr(), t_28.GetPhyAddr(), t_29.GetPhyAddr(), t_30.GetPhyAddr(), t_31.GetPhyAddr()};
  uint64_t src_list_2[16] = {0x800ULL, 0x820ULL, 0x840ULL, 0x860ULL, 0x880ULL, 0x8a0ULL, 0x8c0ULL, 0x8e0ULL, 0x900ULL, 0x920ULL, 0x940ULL, 0x960ULL, 0x980ULL, 0x9a0ULL, 0x9c0ULL, 0x9e0ULL};
  AscendC::TransDataTo5HD<half>(dst_list_2, src_list_2, AscendC::TransDataTo5HDParams(false, false, 1, 0, 0));
  AscendC::LocalTensor<uint64_t> table(AscendC::TPosition::VECCALC, 16384, 32);
  AscendC::TransDataTo5HD<int8_t>(table, table[16], AscendC::TransDataTo5HDParams(true, false, 1, 0, 0));
}
