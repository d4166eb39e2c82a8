// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t count, int32_t mask, uint64_t low, uint64_t high, int32_t repeats, int32_t stride, float scalar)
{
  AscendC::InitSocState();
  AscendC::LocalTensor<half> dst(AscendC::TPosition::VECOUT, 0, 1024);
  AscendC::LocalTensor<half> src0(AscendC::TPosition::VECIN, 2048, 1024);
  AscendC::LocalTensor<uint8_t> tmp(AscendC::TPosition::VECCALC, 16384, 65536);
  AscendC::Transpose(dst, src0);
  AscendC::Transpose(dst, src0, tmp, AscendC::TransposeParamsExt(1, (uint16_t)count, 2, 16, AscendC::TransposeType::TRANSPOSE_NCHW2NHWC));
  AscendC::Transpose(dst, src0, tmp, AscendC::TransposeParamsExt(0, 0, 0, 0, AscendC::TransposeType::TRANSPOSE_NHWC2NCHW));
}
