// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, int32_t n, int64_t wide, float scalar)
{
  AscendC::TPipe pipe;
  AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1> moved;
  pipe.InitBuffer(moved, 2, 512);
  AscendC::LocalTensor<half> x_1 = moved.AllocTensor<half>();
  moved.EnQue<AscendC::TPosition::GM, AscendC::TPosition::VECIN, half>(x_1);
  AscendC::LocalTensor<half> x_2 = moved.DeQue<AscendC::TPosition::GM, AscendC::TPosition::VECIN, half>();
  moved.EnQue<AscendC::TPosition::VECOUT, AscendC::TPosition::GM, half>(x_2);
  AscendC::LocalTensor<half> x_3 = moved.DeQue<AscendC::TPosition::VECOUT, AscendC::TPosition::GM, half>();
  moved.FreeTensor(x_3);
  AscendC::TQueBind<AscendC::TPosition::GM, AscendC::TPosition::VECIN, 0> in_place;
  pipe.InitBuffer(in_place, n, 512);
  AscendC::LocalTensor<half> t;
  in_place.AllocTensor<half>(t);
  in_place.EnQue(t);
  in_place.DeQue(t);
  in_place.FreeTensor(t);
  AscendC::LocalTensor<float> u;
  in_place.AllocTensor<float>(u);
  in_place.FreeTensor(u);
  AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECIN, 0> v_default;
}
