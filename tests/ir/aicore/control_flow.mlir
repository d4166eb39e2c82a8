// RUN: asc-opt %s --emit=listing | FileCheck %s
// Loops test at the bottom, carried values are computed in place where that is right, and copies happen all at once.

// CHECK: program "control"
// CHECK: param [[X:r[0-9]+]] "x" address int32 reads writes
// CHECK: param [[N:r[0-9]+]] "n" scalar int32
// CHECK: code
asc.kernel @control(%x: !asc.address<i32>, %n: i32) attributes {dtypes = [i32, i32], names = ["x", "n"]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c8 = arith.constant 8 : i32
  // CHECK: global.int32 [[G:t[0-9]+]], [[X]], -
  %g = asc.global_tensor %x : !asc.address<i32> -> !asc.global_tensor<i32>

  // A sum: the new value goes straight into the register of the old one.
  // CHECK-NEXT: s_cast.int64 [[END:r[0-9]+]], [[N]], int32
  // CHECK-NEXT: move.int32 [[ACC:r[0-9]+]], {{r[0-9]+}}
  // CHECK-NEXT: move.int64 [[I:r[0-9]+]], {{r[0-9]+}}
  // CHECK-NEXT: s_lt.int64 [[T:r[0-9]+]], [[I]], [[END]]
  // CHECK-NEXT: jump_if_zero.bool [[T]], to=[[#AFTER:]]
  // CHECK-NEXT: [[#TOP:]] s_add.int32 [[ACC]], [[ACC]], [[I]]
  // CHECK-NEXT: s_add.int64 [[I]], [[I]], {{r[0-9]+}}
  // CHECK-NEXT: s_ge.int64 [[T]], [[I]], [[END]]
  // CHECK-NEXT: jump_if_zero.bool [[T]], to=[[#TOP]]
  // CHECK-NEXT: [[#AFTER]] set_value.int32 [[G]], {{r[0-9]+}}, [[ACC]]
  %acc = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (i32) : i32 {
    %s = arith.addi %a, %i overflow<nsw> : i32
    scf.yield %s : i32
  }
  asc.set_value %g[%c0 : i32], %acc : !asc.global_tensor<i32>, i32

  // Known to run: no test before the first round. The values change places through a third register.
  // CHECK-NEXT: move.int32 [[A:r[0-9]+]],
  // CHECK-NEXT: move.int32 [[B:r[0-9]+]],
  // CHECK-NEXT: move.int64 [[I:r[0-9]+]],
  // CHECK-NEXT: [[#TOP:]] move.int32 [[OLD:r[0-9]+]], [[A]]
  // CHECK-NEXT: move.int32 [[A]], [[B]]
  // CHECK-NEXT: move.int32 [[B]], [[OLD]]
  // CHECK-NEXT: s_add.int64 [[I]], [[I]],
  // CHECK-NEXT: s_ge.int64 [[T:r[0-9]+]], [[I]],
  // CHECK-NEXT: jump_if_zero.bool [[T]], to=[[#TOP]]
  // CHECK-NEXT: set_value.int32 [[G]], {{r[0-9]+}}, [[A]]
  %swap:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %c1, %b = %c2) -> (i32, i32) : i32 {
    scf.yield %b, %a : i32, i32
  }
  asc.set_value %g[%c1 : i32], %swap#0 : !asc.global_tensor<i32>, i32

  // CHECK-NEXT: move.int32 [[P:r[0-9]+]], [[N]]
  // CHECK-NEXT: jump to=[[#TEST:]]
  // CHECK-NEXT: [[#TOP:]] s_div.int32 [[P]], [[P]],
  // CHECK-NEXT: [[#TEST]] s_le.int32 [[STOP:r[0-9]+]], [[P]],
  // CHECK-NEXT: jump_if_zero.bool [[STOP]], to=[[#TOP]]
  // CHECK-NEXT: set_value.int32 [[G]], {{r[0-9]+}}, [[P]]
  %w = scf.while (%p = %n) : (i32) -> i32 {
    %c = arith.cmpi sgt, %p, %c1 : i32
    scf.condition(%c) %p : i32
  } do {
  ^bb0(%p: i32):
    %q = arith.divsi %p, %c2 : i32
    scf.yield %q : i32
  }
  asc.set_value %g[%c2 : i32], %w : !asc.global_tensor<i32>, i32

  // The test hands on what it read; a float comparison has no opposite when NaN is about, an integer one has.
  // CHECK-NEXT: move.int32 [[K:r[0-9]+]],
  // CHECK-NEXT: jump to=[[#TEST:]]
  // CHECK-NEXT: [[#TOP:]] s_add.int32 [[K]], [[E:r[0-9]+]],
  // CHECK-NEXT: [[#TEST]] get_value.int32 [[E]], [[G]], [[K]]
  // CHECK-NEXT: s_eq.int32 [[STOP:r[0-9]+]], [[E]],
  // CHECK-NEXT: jump_if_zero.bool [[STOP]], to=[[#TOP]]
  %v = scf.while (%p = %c0) : (i32) -> i32 {
    %e = asc.get_value %g[%p : i32] : !asc.global_tensor<i32> -> i32
    %c = arith.cmpi ne, %e, %c0 : i32
    scf.condition(%c) %e : i32
  } do {
  ^bb0(%e: i32):
    %k = arith.addi %e, %c1 overflow<nsw> : i32
    scf.yield %k : i32
  }

  // CHECK-NEXT: s_lt.int32 [[C:r[0-9]+]], [[N]],
  // CHECK-NEXT: jump_if_zero.bool [[C]], to=[[#ELSE:]]
  // CHECK-NEXT: s_sub.int32 [[R:r[0-9]+]], {{r[0-9]+}}, [[N]]
  // CHECK-NEXT: jump to=[[#DONE:]]
  // CHECK-NEXT: [[#ELSE]] s_gt.int32 [[C:r[0-9]+]], [[N]],
  // CHECK-NEXT: jump_if_zero.bool [[C]], to=[[#ELSE:]]
  // CHECK-NEXT: s_mul.int32 [[R]], [[N]], [[N]]
  // CHECK-NEXT: jump to=[[#DONE]]
  // CHECK-NEXT: [[#ELSE]] move.int32 [[R]],
  // CHECK-NEXT: [[#DONE]] set_value.int32 [[G]], {{r[0-9]+}}, [[R]]
  %negative = arith.cmpi slt, %n, %c0 : i32
  %r = scf.if %negative -> i32 {
    %0 = arith.subi %c0, %n overflow<nsw> : i32
    scf.yield %0 : i32
  } else {
    %large = arith.cmpi sgt, %n, %c2 : i32
    %1 = scf.if %large -> i32 {
      %2 = arith.muli %n, %n overflow<nsw> : i32
      scf.yield %2 : i32
    } else {
      scf.yield %c2 : i32
    }
    scf.yield %1 : i32
  }
  asc.set_value %g[%c2 : i32], %r : !asc.global_tensor<i32>, i32
  // CHECK-NEXT: halt
  asc.return
}
