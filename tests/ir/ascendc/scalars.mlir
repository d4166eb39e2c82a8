// RUN: asc-opt %s --emit=ascendc | FileCheck %s
// Scalar expressions: one line each, as few parentheses and casts as C++ allows.

// CHECK: template <typename T> __aicore__ inline T pyasc_floor_div(T a, T b)
// CHECK: template <typename T> __aicore__ inline T pyasc_floor_mod(T a, T b)
// CHECK: template <typename T> __aicore__ inline T pyasc_fmod(T a, T b)
// CHECK: template <typename T> __aicore__ inline T pyasc_float_mod(T a, T b)
// CHECK: template <typename T> __aicore__ inline T pyasc_float_floor_div(T a, T b)
// CHECK: template <typename T> __aicore__ inline T pyasc_max(T a, T b)
// CHECK-NOT: pyasc_min
// CHECK: void scalars(GM_ADDR x, int32_t a, int32_t b, uint32_t u, int64_t l, float f, half h, int8_t s, bool c)
asc.kernel @scalars(%x: !asc.address<i32>, %a: i32, %b: i32, %u: i32, %l: i64, %f: f32, %h: f16, %s: i8, %c: i1)
    attributes {dtypes = [i32, i32, i32, ui32, i64, f32, f16, i8, i1], names = ["x", "a", "b", "u", "l", "f", "h", "s", "c"]} {
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %cm7 = arith.constant -7 : i32
  %mask = arith.constant -1 : i32
  %true = arith.constant true
  %l1 = arith.constant 1 : i64
  %tenth = arith.constant 1.000000e-01 : f32
  %gi = asc.global_tensor %x : !asc.address<i32> -> !asc.global_tensor<i32> loc("g")

  // CHECK: int32_t sum = a + b * 5 - 7;
  %0 = arith.muli %b, %c5 overflow<nsw> : i32
  %1 = arith.addi %a, %0 overflow<nsw> : i32
  %sum = arith.addi %1, %cm7 overflow<nsw> : i32 loc("sum")
  // CHECK: int32_t product = (a - b) * (a + b);
  %2 = arith.subi %a, %b overflow<nsw> : i32
  %3 = arith.addi %a, %b overflow<nsw> : i32
  %product = arith.muli %2, %3 overflow<nsw> : i32 loc("product")
  // CHECK: int32_t truncated = a / b;
  %truncated = arith.divsi %a, %b : i32 loc("truncated")
  // CHECK: int32_t floored = pyasc_floor_div<int32_t>(a, 5);
  %floored = arith.floordivsi %a, %c5 : i32 loc("floored")
  // CHECK: int32_t modulo = pyasc_floor_mod<int32_t>(a, -7);
  %modulo = asc.floor_mod %a, %cm7 : i32 loc("modulo")
  // CHECK: uint32_t rest = u % 5 + u / (uint32_t)a;
  %4 = arith.remui %u, %c5 : i32
  %5 = arith.divui %u, %a : i32
  %rest = arith.addi %4, %5 : i32 loc("rest")
  // CHECK: bool below = u < 4294967295u;
  %below = arith.cmpi ult, %u, %mask : i32 loc("below")
  // CHECK: bool same = u == (uint32_t)a;
  %same = arith.cmpi eq, %u, %a : i32 loc("same")
  // CHECK: int32_t bits = (int32_t)((uint32_t)a << (b & 5)) | ~b;
  %6 = arith.andi %b, %c5 : i32
  %7 = arith.shli %a, %6 overflow<nsw> : i32
  %8 = arith.xori %b, %mask : i32
  %bits = arith.ori %7, %8 : i32 loc("bits")
  // CHECK: uint64_t wide = (uint64_t)1 << l;
  %wide = arith.shli %l1, %l overflow<nsw> : i64 loc("wide")
  // CHECK: uint32_t down = u >> 5;
  %down = arith.shrui %u, %c5 : i32 loc("down")
  // CHECK: int8_t narrow = (int8_t)(s * s);
  %narrow = arith.muli %s, %s overflow<nsw> : i8 loc("narrow")
  // CHECK: float real = -(f * 0.1f) / f;
  %9 = arith.mulf %f, %tenth : f32
  %10 = arith.negf %9 : f32
  %real = arith.divf %10, %f : f32 loc("real")
  // CHECK: float floor = pyasc_float_floor_div<float>(f, 0.1f) + pyasc_float_mod<float>(f, 0.1f);
  %11 = asc.floor_div %f, %tenth : f32
  %12 = asc.floor_mod %f, %tenth : f32
  %floor = arith.addf %11, %12 : f32 loc("floor")
  // CHECK: half twice = (half)((float)h + (float)h);
  %twice = arith.addf %h, %h : f16 loc("twice")
  // CHECK: float cast = (float)(a + 1);
  %13 = arith.addi %a, %c1 overflow<nsw> : i32
  %cast = asc.convert %13 {from = 4 : i32, to = 12 : i32} : i32 -> f32 loc("cast")
  // CHECK: int32_t back = (int32_t)f;
  %back = asc.convert %f {from = 12 : i32, to = 4 : i32} : f32 -> i32 loc("back")
  // CHECK: bool logic = !c || f < 0.1f && a >= b;
  %14 = arith.xori %c, %true : i1
  %15 = arith.cmpf olt, %f, %tenth : f32
  %16 = arith.cmpi sge, %a, %b : i32
  %17 = arith.andi %15, %16 : i1
  %logic = arith.ori %14, %17 : i1 loc("logic")
  // CHECK: int32_t larger = pyasc_max<int32_t>(a, 5);
  %larger = arith.maxsi %a, %c5 : i32 loc("larger")
  // CHECK: int32_t picked = logic ? a : 5;
  %picked = arith.select %logic, %a, %c5 : i32 loc("picked")
  // Used twice and without a Python name: a variable of our own.
  // CHECK: int32_t t = a * b;
  // CHECK-NEXT: g.SetValue(t, t);
  %18 = arith.muli %a, %b overflow<nsw> : i32
  asc.set_value %gi[%18 : i32], %18 : !asc.global_tensor<i32>, i32
  asc.return
}
