// RUN: asc-opt %s --emit=listing | FileCheck %s
// A statement says where the values of its variables are; what a loop carries keeps its register until the next round begins.

asc.kernel @k(%n: i32, %x: !asc.address<f32>) attributes {dtypes = [i32, f32], names = ["n", "x"]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: global.float32 [[G:t([0-9]+)]], r{{[0-9]+}}, -
  %g = asc.global_tensor %x : !asc.address<f32> -> !asc.global_tensor<f32>
  // CHECK-NEXT: statement enter, #0 @
  asc.statement enter 0 {dtypes = array<i32>, names = []}
  // CHECK-NEXT: statement line, #1, [[N:r[0-9]+]]:int32<n>, {{r[0-9]+}}:float32<g>, {{r[0-9]+}}:uint64
  asc.statement line 1, %n, %g : i32, !asc.global_tensor<f32> {dtypes = array<i32: 4, 12>, names = ["n", "g"]}
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
    // CHECK: s_add.int32 [[NEXT:r[0-9]+]], [[SUM:r[0-9]+]]
    %next = arith.addi %s, %i overflow<nsw> : i32
    // CHECK-NEXT: statement line, #2, [[SUM]]:int32<s>
    asc.statement line 2, %s : i32 {dtypes = array<i32: 4>, names = ["s"]}
    // CHECK-NEXT: move.int32 [[SUM]], [[NEXT]]
    scf.yield %next : i32
  }
  // CHECK: statement leave, #3
  asc.statement leave 3 {dtypes = array<i32>, names = []}
  asc.return
}
