// RUN: asc-opt %s --emit=ascendc | FileCheck %s
// Loops, conditionals and device functions.

// Callees stand before their callers, whatever the order in the module.
// CHECK-LABEL: __aicore__ inline int32_t inner(int32_t a)
// CHECK: return a * a;
// CHECK-LABEL: __aicore__ inline void outer(int32_t a, int32_t& result, int32_t& result_1)
// CHECK: int32_t squared = inner(a);
// CHECK-NEXT: result = squared;
// CHECK-NEXT: result_1 = a;
func.func private @outer(%a: i32 loc("a")) -> (i32, i32) {
  %0 = func.call @inner(%a) : (i32) -> i32 loc("squared")
  return %0, %a : i32, i32
}
func.func private @inner(%a: i32 loc("a")) -> i32 {
  %0 = arith.muli %a, %a overflow<nsw> : i32
  return %0 : i32
}

// CHECK-LABEL: void control(GM_ADDR x, int32_t n)
// CHECK-NOT: InitSocState
asc.kernel @control(%x: !asc.address<i32>, %n: i32) attributes {dtypes = [i32, i32], names = ["x", "n"]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %g = asc.global_tensor %x : !asc.address<i32> -> !asc.global_tensor<i32> loc("g")

  // CHECK: int32_t acc = 0;
  // CHECK-NEXT: for (int32_t i = 1; i < n - 1; i += 2) {
  // CHECK-NEXT:   acc = acc + i;
  // CHECK-NEXT: }
  // CHECK-NEXT: g.SetValue(0, acc);
  %end = arith.subi %n, %c1 overflow<nsw> : i32
  %acc = scf.for %i = %c1 to %end step %c2 iter_args(%a = %c0) -> (i32) : i32 {
    %s = arith.addi %a, %i overflow<nsw> : i32 loc("acc")
    scf.yield %s : i32
  }
  asc.set_value %g[%c0 : i32], %acc : !asc.global_tensor<i32>, i32

  // The new values depend on each other's old ones.
  // CHECK-NEXT: int32_t t = 0;
  // CHECK-NEXT: int32_t b = 1;
  // CHECK-NEXT: for (int32_t i_1 = 0; i_1 < n; ++i_1) {
  // CHECK-NEXT:   int32_t next_t = b;
  // CHECK-NEXT:   int32_t next_b = t + b;
  // CHECK-NEXT:   t = next_t;
  // CHECK-NEXT:   b = next_b;
  // CHECK-NEXT: }
  %fib:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c1) -> (i32, i32) : i32 {
    %s = arith.addi %a, %b overflow<nsw> : i32 loc("b")
    scf.yield %b, %s : i32, i32
  }

  // CHECK-NEXT: int32_t p = t;
  // CHECK-NEXT: while (p > 1) {
  // CHECK-NEXT:   p = p / 2;
  // CHECK-NEXT: }
  %w = scf.while (%p = %fib#0) : (i32) -> i32 {
    %c = arith.cmpi sgt, %p, %c1 : i32
    scf.condition(%c) %p : i32
  } do {
  ^bb0(%p: i32):
    %q = arith.divsi %p, %c2 : i32 loc("p")
    scf.yield %q : i32
  }

  // What the test reads outlives it.
  // CHECK-NEXT: int32_t k = 0;
  // CHECK-NEXT: int32_t t_1;
  // CHECK-NEXT: while (true) {
  // CHECK-NEXT:   int32_t e = g.GetValue(k);
  // CHECK-NEXT:   t_1 = e;
  // CHECK-NEXT:   if (!(e != 0)) break;
  // CHECK-NEXT:   k = t_1 + 1;
  // CHECK-NEXT: }
  // CHECK-NEXT: g.SetValue(1, t_1);
  %v = scf.while (%p = %c0) : (i32) -> i32 {
    %e = asc.get_value %g[%p : i32] : !asc.global_tensor<i32> -> i32 loc("e")
    %c = arith.cmpi ne, %e, %c0 : i32
    scf.condition(%c) %e : i32
  } do {
  ^bb0(%e: i32):
    %k = arith.addi %e, %c1 overflow<nsw> : i32 loc("k")
    scf.yield %k : i32
  }
  asc.set_value %g[%c1 : i32], %v : !asc.global_tensor<i32>, i32

  // CHECK-NEXT: int32_t r;
  // CHECK-NEXT: if (n < 0) {
  // CHECK-NEXT:   r = -n;
  // CHECK-NEXT: } else if (n > 2) {
  // CHECK-NEXT:   int32_t t_2;
  // CHECK-NEXT:   int32_t t_3;
  // CHECK-NEXT:   outer(n, t_2, t_3);
  // CHECK-NEXT:   r = t_2;
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   g.SetValue(2, 0);
  // CHECK-NEXT:   r = 2;
  // CHECK-NEXT: }
  // CHECK-NEXT: g.SetValue(2, r);
  %negative = arith.cmpi slt, %n, %c0 : i32
  %r = scf.if %negative -> i32 {
    %0 = arith.subi %c0, %n overflow<nsw> : i32 loc("r")
    scf.yield %0 : i32
  } else {
    %large = arith.cmpi sgt, %n, %c2 : i32
    %1 = scf.if %large -> i32 {
      %2:2 = func.call @outer(%n) : (i32) -> (i32, i32)
      scf.yield %2#0 : i32
    } else {
      asc.set_value %g[%c2 : i32], %c0 : !asc.global_tensor<i32>, i32
      scf.yield %c2 : i32
    }
    scf.yield %1 : i32
  }
  asc.set_value %g[%c2 : i32], %r : !asc.global_tensor<i32>, i32
  // CHECK-NEXT: if (n == 1) {
  // CHECK-NEXT:   AscendC::PipeBarrier<PIPE_V>();
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  %one = arith.cmpi eq, %n, %c1 : i32
  scf.if %one {
    asc.pipe_barrier V
  }
  asc.return
}
