// RUN: asc-opt %s --emit=listing | FileCheck %s
// Every scalar operation becomes one instruction of the right type; constants are pooled.

// CHECK: const [[C0:r[0-9]+]] 0x0 ; 0
// CHECK-NOT: 0x0 ; 0
// CHECK: param [[X:r[0-9]+]] "x"
// CHECK: param [[A:r[0-9]+]] "a" scalar int32
// CHECK: param [[U:r[0-9]+]] "u" scalar uint64
// CHECK: param [[F:r[0-9]+]] "f" scalar float32
// CHECK: param [[B:r[0-9]+]] "b" scalar bool
// CHECK: code
asc.kernel @scalars(%x: !asc.address<f32>, %a: i32, %u: i64, %f: f32, %b: i1)
    attributes {dtypes = [f32, i32, ui64, f32, i1], names = ["x", "a", "u", "f", "b"]} {
  %zero = arith.constant 0 : i32
  %wide_zero = arith.constant 0 : i64
  %float_zero = arith.constant 0.0 : f32
  // CHECK: s_add.int32 {{r[0-9]+}}, [[A]], [[A]]
  %0 = arith.addi %a, %a overflow<nsw> : i32
  // CHECK: s_add.uint32 {{r[0-9]+}}, [[A]], [[A]]
  %1 = arith.addi %a, %a : i32
  // CHECK: s_sub.uint64 {{r[0-9]+}}, [[U]], [[C0]]
  %2 = arith.subi %u, %wide_zero : i64
  // CHECK: s_mul.int32
  %3 = arith.muli %a, %a overflow<nsw> : i32
  // CHECK: s_div.int32
  %4 = arith.divsi %a, %a : i32
  // CHECK: s_div.uint64
  %5 = arith.divui %u, %u : i64
  // CHECK: s_rem.uint64
  %6 = arith.remui %u, %u : i64
  // CHECK: s_floor_div.int32
  %7 = arith.floordivsi %a, %a : i32
  // CHECK: s_floor_mod.int32
  %8 = asc.floor_mod %a, %a : i32
  // CHECK: s_and.int32
  %9 = arith.andi %a, %a : i32
  // CHECK: s_or.bool {{r[0-9]+}}, [[B]], [[B]]
  %10 = arith.ori %b, %b : i1
  // CHECK: s_xor.int32
  %11 = arith.xori %a, %a : i32
  // CHECK: s_shl.int32
  %12 = arith.shli %a, %a overflow<nsw> : i32
  // CHECK: s_shr.int32
  %13 = arith.shrsi %a, %a : i32
  // CHECK: s_shr.uint32
  %14 = arith.shrui %a, %a : i32
  // CHECK: s_max.int32
  %15 = arith.maxsi %a, %a : i32
  // CHECK: s_min.int32
  %16 = arith.minsi %a, %a : i32
  // CHECK: s_max.uint64
  %17 = arith.maxui %u, %u : i64
  // CHECK: s_min.uint64
  %18 = arith.minui %u, %u : i64
  // CHECK: s_eq.int32
  %19 = arith.cmpi eq, %a, %a : i32
  // CHECK: s_lt.int32
  %20 = arith.cmpi slt, %a, %a : i32
  // CHECK: s_ge.uint64
  %21 = arith.cmpi uge, %u, %u : i64
  // CHECK: s_add.float32 {{r[0-9]+}}, [[F]], [[C0]]
  %22 = arith.addf %f, %float_zero : f32
  // CHECK: s_sub.float32
  %23 = arith.subf %f, %f : f32
  // CHECK: s_mul.float32
  %24 = arith.mulf %f, %f : f32
  // CHECK: s_div.float32
  %25 = arith.divf %f, %f : f32
  // CHECK: s_floor_div.float32
  %26 = asc.floor_div %f, %f : f32
  // CHECK: s_floor_mod.float32
  %27 = asc.floor_mod %f, %f : f32
  // CHECK: s_neg.float32
  %28 = arith.negf %f : f32
  // CHECK: s_eq.float32
  %29 = arith.cmpf oeq, %f, %f : f32
  // CHECK: s_ne.float32
  %30 = arith.cmpf une, %f, %f : f32
  // CHECK: s_le.float32
  %31 = arith.cmpf ole, %f, %f : f32
  // CHECK: s_cast.float32 {{r[0-9]+}}, [[A]], int32
  %32 = asc.convert %a {from = 4 : i32, to = 12 : i32} : i32 -> f32
  // CHECK: move.bool [[S:r[0-9]+]], [[B]]
  // CHECK: s_select.float32 [[S]], [[F]], [[C0]]
  %33 = arith.select %b, %f, %float_zero : f32
  // CHECK: s_narrow.uint8 [[N:r[0-9]+]], [[A]], int32
  %narrow = asc.convert %a {checked, from = 4 : i32, to = 6 : i32} : i32 -> i8
  // CHECK: s_cast.int32 {{r[0-9]+}}, [[N]], uint8
  %wide = asc.convert %narrow {from = 6 : i32, to = 4 : i32} : i8 -> i32
  // CHECK: offset.float32 [[P:r[0-9]+]], [[X]], [[A]], int32
  %p = asc.offset %x, %a : !asc.address<f32>, i32
  // CHECK: s_cast.int64 [[W:r[0-9]+]], [[A]], int32
  // CHECK: global.float32 [[G:t[0-9]+]], [[P]], [[W]]
  %g = asc.global_tensor %p, %a : i32 : !asc.address<f32> -> !asc.global_tensor<f32>
  // CHECK: view.float32 [[V:t[0-9]+]], [[G]], [[U]], int64
  %v = asc.view %g[%u : i64] : !asc.global_tensor<f32>
  // The address of a tensor is its first register.
  // CHECK: global.float32 [[H:t[0-9]+]], r{{[0-9]+}}, -
  %q = asc.address_of %v : !asc.global_tensor<f32> -> !asc.address<f32>
  %h = asc.global_tensor %q : !asc.address<f32> -> !asc.global_tensor<f32>
  // CHECK: size.float32 {{r[0-9]+}}, [[H]]
  %34 = asc.size %h : !asc.global_tensor<f32> -> i64
  // CHECK: local.float16 VECOUT, [[L:t[0-9]+]], [[C0]], [[C0]]
  %l = asc.local_tensor %zero, %zero : i32, i32 -> !asc.local_tensor<f16, VECOUT>
  // The same registers, read as another type.
  // CHECK: get_value.uint8 {{r[0-9]+}}, [[L]], [[A]], int32
  %r = asc.reinterpret_cast %l : !asc.local_tensor<f16, VECOUT> -> !asc.local_tensor<ui8, VECOUT>
  %35 = asc.get_value %r[%a : i32] : !asc.local_tensor<ui8, VECOUT> -> i8
  // CHECK: move.bool [[T:r[0-9]+]], [[B]]
  // CHECK: s_select2 {{t[0-9]+}}, [[V]], [[H]]
  %36 = arith.select %b, %v, %h : !asc.global_tensor<f32>
  asc.return
}
