// Ascend C of the kernel kernel, made by pyasc.
#include "kernel_operator.h"

// A structure passed by value: its bytes are in global memory.
template <typename T> __aicore__ inline void pyasc_read(T& to, GM_ADDR from)
{
  for (uint32_t i = 0; i < sizeof(T); ++i) reinterpret_cast<uint8_t*>(&to)[i] = from[i];
}

struct Part {
  half ratio;
  int64_t theNumber;
};

struct Point {
  int32_t x;
  float y;
  Part part;
};

#pragma pack(push, 2)
struct Packed {
  bool flag;
  Part part;
};
#pragma pack(pop)
__aicore__ inline void move(Point& p, Packed& packed, int32_t by)
{
  int32_t t = p.x;
  p.x = t + by;
  float t_1 = p.y;
  p.part.ratio = (half)t_1;
  half t_2 = p.part.ratio;
  int64_t t_3 = p.part.theNumber;
  packed.part.ratio = t_2;
  packed.part.theNumber = t_3;
}
__aicore__ inline Point moved(Point& p, int32_t by)
{
  int32_t t = p.x;
  half t_1 = p.part.ratio;
  int64_t t_2 = p.part.theNumber;
  Point q = {t, 2.0f, {t_1, t_2}};
  int32_t t_3 = q.x;
  q.x = t_3 + by;
  return q;
}
__aicore__ inline void parts(Point& p, Packed& packed, Part& result, Packed& result_1, int32_t& result_2)
{
  int32_t t = p.x;
  Part structure = p.part;
  Packed structure_1 = packed;
  result = structure;
  result_1 = structure_1;
  result_2 = t;
}
extern "C" __global__ __aicore__ void kernel(GM_ADDR x, GM_ADDR p_gm, int32_t n, GM_ADDR packed_gm)
{
  Point p;
  pyasc_read(p, p_gm);
  Packed packed;
  pyasc_read(packed, packed_gm);
  AscendC::GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)x, 64);
  for (int32_t i = 0; i < n; ++i) {
    move(p, packed, i);
  }
  Point q = moved(p, n);
  Part t;
  Packed t_1;
  int32_t t_2;
  parts(q, packed, t, t_1, t_2);
  t_1.part.theNumber = (int64_t)t_2;
  Packed local = packed;
  bool t_3 = local.flag;
  if (t_3) {
    int64_t t_4 = local.part.theNumber;
    local.part.theNumber = t_4 - 1;
  }
  int32_t t_5 = q.x;
  gm.SetValue(0, t_5);
  int64_t t_6 = t_1.part.theNumber;
  gm.SetValue(1, (int32_t)t_6);
  int64_t t_7 = local.part.theNumber;
  gm.SetValue(2, (int32_t)t_7);
  half t_8 = t.ratio;
  gm.SetValue(3, (int32_t)t_8);
}
