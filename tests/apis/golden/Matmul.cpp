// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

// A structure passed by value: its bytes are in global memory.
template <typename T> __aicore__ inline void pyasc_read(T& to, GM_ADDR from)
{
  for (uint32_t i = 0; i < sizeof(T); ++i) reinterpret_cast<uint8_t*>(&to)[i] = from[i];
}

// The configuration of a Matmul with an order of its own.
template <IterateOrder order> constexpr MatmulConfig pyasc_matmul_order()
{
  MatmulConfig config = CFG_NORM;
  config.iterateOrder = order;
  return config;
}
template <IterateOrder order> constexpr MatmulConfig pyasc_matmul_config = pyasc_matmul_order<order>();
__aicore__ inline void part(matmul::Matmul<matmul::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, half>, matmul::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, half>, matmul::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, float>, matmul::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, float>, pyasc_matmul_config<IterateOrder::ORDER_N>>& mm, AscendC::GlobalTensor<float> c, int32_t n)
{
  mm.SetOrgShape(n, n, n);
  mm.SetOrgShape(64, 64, 64, n, n);
  mm.SetSingleShape(16, n, 16);
  mm.SetTail(-1, n, -1);
  mm.IterateAll(c, 0, false);
}
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR work, GM_ADDR t_gm, int32_t n)
{
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  TCubeTiling t;
  pyasc_read(t, t_gm);
  AscendC::GlobalTensor<half> a;
  a.SetGlobalBuffer((__gm__ half*)x, 4096);
  AscendC::GlobalTensor<float> c;
  c.SetGlobalBuffer((__gm__ float*)y, 4096);
  AscendC::TPipe pipe;
  matmul::Matmul<matmul::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, half>, matmul::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, half, true>, matmul::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, float>, matmul::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, float>> mm;
  matmul::Matmul<matmul::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, half>, matmul::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, half>, matmul::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, float>, matmul::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, float>, pyasc_matmul_config<IterateOrder::ORDER_N>> other;
  REGIST_MATMUL_OBJ(&pipe, (__gm__ uint8_t*)work, mm, &t);
  REGIST_MATMUL_OBJ(&pipe, (__gm__ uint8_t*)work + n, other);
  other.Init(&t);
  mm.SetTensorA(a, false);
  mm.SetTensorB(a[n], n > 3);
  mm.SetBias(c);
  int32_t i = 0;
  while (mm.Iterate()) {
    mm.GetTensorC(c[i * n], 1, true);
    i = i + 1;
  }
  mm.DisableBias();
  int32_t block = 0;
  int32_t total = 0;
  while (other.Iterate(true)) {
    other.GetTensorC(c, n, n > 5);
    block = block + 1;
    total = total + n;
  }
  c.SetValue(0, (float)total);
  part(other, c, n);
  mm.IterateAll(c, n, true);
  mm.End();
}
