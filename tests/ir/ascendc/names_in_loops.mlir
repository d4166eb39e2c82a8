// RUN: asc-opt %s --emit=ascendc | FileCheck %s
// A variable that changes in nested conditionals of a loop keeps its name.

// CHECK: void rounds(int32_t n)
asc.kernel @rounds(%n: i32) attributes {dtypes = [i32], names = ["n"]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: int32_t found = 0;
  // CHECK-NEXT: while (found < n) {
  // CHECK-NEXT: int32_t found_1;
  %end = scf.while (%a = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %a, %n : i32
    scf.condition(%more) %a : i32
  } do {
  ^bb0(%a: i32):
    %odd = arith.cmpi eq, %n, %c1 : i32
    // CHECK: found_1 = n;
    %next = scf.if %odd -> i32 {
      scf.yield %n : i32
    } else {
      %big = arith.cmpi sgt, %n, %a : i32
      // CHECK: found_1 = found + 1;
      %inner = scf.if %big -> i32 {
        asc.pipe_barrier ALL
        %sum = arith.addi %a, %c1 overflow<nsw> : i32 loc("found")
        scf.yield %sum : i32
      } else {
        scf.yield %a : i32
      }
      scf.yield %inner : i32
    }
    // CHECK: found = found_1;
    scf.yield %next : i32
  }
  asc.return
}
