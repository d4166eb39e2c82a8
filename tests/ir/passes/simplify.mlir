// RUN: asc-opt %s --pass=simplify | FileCheck %s
// Constants fold, unused values go, loops and conditionals carry only what they need; arithmetic is never regrouped.

// CHECK-LABEL: func.func @fold
func.func @fold(%x: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  // CHECK: %[[SIX:.*]] = arith.constant 6 : i32
  %six = arith.muli %c2, %c3 overflow<nsw> : i32
  // CHECK-NEXT: %[[SUM:.*]] = arith.addi %arg0, %[[SIX]]
  %sum = arith.addi %x, %six overflow<nsw> : i32
  %unused = arith.subi %x, %six overflow<nsw> : i32
  // CHECK-NEXT: return %[[SUM]]
  return %sum : i32
}

// (x + 2147483647) + 1 must not become x + -2147483648.
// CHECK-LABEL: func.func @regroup
func.func @regroup(%x: i32) -> i32 {
  %large = arith.constant 2147483647 : i32
  %c1 = arith.constant 1 : i32
  // CHECK-COUNT-2: arith.addi
  %0 = arith.addi %x, %large overflow<nsw> : i32
  %1 = arith.addi %0, %c1 overflow<nsw> : i32
  return %1 : i32
}

// CHECK-LABEL: func.func @carried
func.func @carried(%n: i32, %x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // %x goes round unchanged.
  // CHECK: scf.for {{.*}} iter_args({{[^,]*}}) -> (i32)
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %same = %x) -> (i32, i32) : i32 {
    %s = arith.addi %a, %same overflow<nsw> : i32
    scf.yield %s, %same : i32, i32
  }
  %1 = arith.addi %0#0, %0#1 overflow<nsw> : i32
  return %1 : i32
}

// CHECK-LABEL: func.func @known_condition
func.func @known_condition(%x: i32, %t: !asc.local_tensor<i32, VECIN>) {
  %true = arith.constant true
  // CHECK-NOT: scf.if
  // CHECK: asc.set_value
  // CHECK-NOT: asc.pipe_barrier
  scf.if %true {
    asc.set_value %t[%x : i32], %x : !asc.local_tensor<i32, VECIN>, i32
  } else {
    asc.pipe_barrier ALL
  }
  return
}

// Everything with an effect stays, in order.
// CHECK-LABEL: func.func @effects
func.func @effects(%t: !asc.local_tensor<f32, VECIN>, %n: i32) {
  // CHECK-NEXT: asc.set_mask_count(0)
  asc.set_mask_count(0)
  // CHECK-NEXT: asc.add(0)
  asc.add(0) %t, %t, %t, %n : !asc.local_tensor<f32, VECIN>, !asc.local_tensor<f32, VECIN>, !asc.local_tensor<f32, VECIN>, i32
  // CHECK-NEXT: asc.set_flag V_MTE3
  asc.set_flag V_MTE3, %n : i32
  // CHECK-NEXT: asc.wait_flag V_MTE3
  asc.wait_flag V_MTE3, %n : i32
  // CHECK-NEXT: asc.pipe_barrier ALL
  asc.pipe_barrier ALL
  // CHECK-NEXT: return
  return
}

// Calls of the scalar unit whose result follows from their arguments.
// CHECK-LABEL: func.func @pure
func.func @pure(%x: i64) -> (i64, i32, f16, i64) {
  %v = arith.constant 33 : i64
  %f = arith.constant 2.5 : f32
  // CHECK-DAG: %[[BIT:.*]] = arith.constant 1 : i64
  %bit = asc.scalar_get_sff_value(0) %v {count_value = 0 : i64} : i64 -> i64
  // CHECK-DAG: %[[INT:.*]] = arith.constant 3 : i32
  %int = asc.scalar_cast(0) %f {dtype = i32, round_mode = 4 : i64} : f32 -> i32
  // CHECK-DAG: %[[HALF:.*]] = arith.constant 2.500000e+00 : f16
  %half = asc.scalar_cast(0) %f {dtype = f16, round_mode = 6 : i64} : f32 -> f16
  // CHECK: %[[LATER:.*]] = asc.scalar_count_leading_zero(0) %arg0 : i64 -> i64
  %later = asc.scalar_count_leading_zero(0) %x : i64 -> i64
  %unused = asc.scalar_count_leading_zero(0) %x : i64 -> i64
  // CHECK-NEXT: return %[[BIT]], %[[INT]], %[[HALF]], %[[LATER]]
  return %bit, %int, %half, %later : i64, i32, f16, i64
}

// What the host hears of stays.
// CHECK-LABEL: func.func @told
func.func @told(%t: !asc.local_tensor<f32, VECIN>) {
  %n = arith.constant 8 : i32
  // CHECK-COUNT-2: asc.dump_tensor(0)
  asc.dump_tensor(0) %t, %n, %n : !asc.local_tensor<f32, VECIN>, i32, i32
  asc.dump_tensor(0) %t, %n, %n : !asc.local_tensor<f32, VECIN>, i32, i32
  // CHECK-NEXT: asc.metrics_prof_start(0)
  asc.metrics_prof_start(0)
  return
}
