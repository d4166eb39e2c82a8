// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"

// What Ascend C has on a CPU only.
template <typename T> __aicore__ inline void pyasc_Print(AscendC::LocalTensor<T> tensor, uint32_t count)
{
#if defined(ASCENDC_CPU_DEBUG) && ASCENDC_CPU_DEBUG == 1
  tensor.Print(count);
#endif
}

// What Ascend C has on a CPU only.
template <typename T> __aicore__ inline void pyasc_ToFile(AscendC::LocalTensor<T> tensor, const char* file)
{
#if defined(ASCENDC_CPU_DEBUG) && ASCENDC_CPU_DEBUG == 1
  tensor.ToFile(file);
#endif
}
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t n)
{
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 2> q;
  pipe.InitBuffer(q, 2, 64);
  AscendC::LocalTensor<half> t = q.AllocTensor<half>();
  pyasc_Print(t, (uint32_t)n);
  pyasc_Print(t, 8);
  pyasc_ToFile(t, "a \"b\".bin");
  q.FreeTensor(t);
}
