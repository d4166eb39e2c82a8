// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t n, int64_t wide, float scalar)
{
  AscendC::InitSocState();
  AscendC::GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
  AscendC::LocalMemAllocator<AscendC::Hardware::UB> allocator;
  AscendC::LocalMemAllocator<AscendC::Hardware::L1> l1;
  AscendC::LocalTensor<half> x_1 = allocator.Alloc<AscendC::TPosition::VECIN, half, 256>();
  AscendC::LocalTensor<half> y = allocator.Alloc<AscendC::TPosition::VECOUT, half>(n);
  AscendC::Duplicate(x_1, (half)1.0f, n);
  AscendC::Add(y, x_1, x_1, n);
  uint32_t t = allocator.GetCurAddr();
  gm.SetValue(0, (int32_t)t);
  AscendC::LocalTensor<half> z = l1.Alloc<AscendC::TPosition::A1, half, 256>();
}
