// RUN: asc-opt %s --emit=ascendc | FileCheck %s
// Names are legal C++, unique, and hide no function; long expressions are broken up.

// CHECK: __aicore__ inline void v_double()
func.func private @double() {
  asc.pipe_barrier ALL
  return
}
// CHECK: __aicore__ inline void scale(int32_t scale_1)
func.func private @scale(%n: i32 loc("scale")) {
  asc.set_flag MTE2_V, %n : i32
  return
}
// CHECK: void k(int32_t n, int32_t v_for)
asc.kernel @k(%n: i32, %m: i32) attributes {dtypes = [i32, i32], names = ["n", "for"]} {
  // CHECK-NEXT: {
  // CHECK-NEXT: v_double();
  func.call @double() : () -> ()
  // CHECK-NEXT: int32_t scale_1 = n * v_for;
  %scale = arith.muli %n, %m overflow<nsw> : i32 loc("scale")
  // CHECK-NEXT: scale(scale_1);
  func.call @scale(%scale) : (i32) -> ()
  // CHECK-NEXT: int32_t scale_2 = scale_1 + scale_1;
  %again = arith.addi %scale, %scale overflow<nsw> : i32 loc("scale")
  // CHECK-NEXT: scale(scale_2);
  func.call @scale(%again) : (i32) -> ()
  // CHECK-NEXT: int32_t t = n{{( \+ v_for)+}};
  // CHECK-NEXT: scale(t + v_for);
  %s0 = arith.addi %n, %m overflow<nsw> : i32
  %s1 = arith.addi %s0, %m overflow<nsw> : i32
  %s2 = arith.addi %s1, %m overflow<nsw> : i32
  %s3 = arith.addi %s2, %m overflow<nsw> : i32
  %s4 = arith.addi %s3, %m overflow<nsw> : i32
  %s5 = arith.addi %s4, %m overflow<nsw> : i32
  %s6 = arith.addi %s5, %m overflow<nsw> : i32
  %s7 = arith.addi %s6, %m overflow<nsw> : i32
  %s8 = arith.addi %s7, %m overflow<nsw> : i32
  %s9 = arith.addi %s8, %m overflow<nsw> : i32
  %s10 = arith.addi %s9, %m overflow<nsw> : i32
  %s11 = arith.addi %s10, %m overflow<nsw> : i32
  %s12 = arith.addi %s11, %m overflow<nsw> : i32
  %s13 = arith.addi %s12, %m overflow<nsw> : i32
  func.call @scale(%s13) : (i32) -> ()
  asc.return
}
