// RUN: asc-opt %s --pass=merge-equal-values | FileCheck %s

// CHECK-LABEL: func.func @scalars
func.func @scalars(%x: i32) -> i32 {
  // CHECK-NEXT: %[[M:.*]] = arith.muli %arg0, %arg0
  %0 = arith.muli %x, %x overflow<nsw> : i32
  %1 = arith.muli %x, %x overflow<nsw> : i32
  // CHECK-NEXT: arith.addi %[[M]], %[[M]]
  %2 = arith.addi %0, %1 overflow<nsw> : i32
  return %2 : i32
}

// An element that may have changed is read again.
// CHECK-LABEL: func.func @elements
func.func @elements(%t: !asc.local_tensor<i32, VECIN>, %i: i32) -> i32 {
  // CHECK-COUNT-2: asc.get_value
  %0 = asc.get_value %t[%i : i32] : !asc.local_tensor<i32, VECIN> -> i32
  asc.wait_flag MTE2_S, %i : i32
  %1 = asc.get_value %t[%i : i32] : !asc.local_tensor<i32, VECIN> -> i32
  %2 = arith.addi %0, %1 overflow<nsw> : i32
  return %2 : i32
}

// Two variables on the same bytes stay two.
// CHECK-LABEL: func.func @tensors
func.func @tensors(%i: i32, %n: i32) {
  // CHECK: %x = asc.local_tensor
  %0 = asc.local_tensor %i, %i : i32, i32 -> !asc.local_tensor<f32, VECIN> loc("x")
  // CHECK: %y = asc.local_tensor
  %1 = asc.local_tensor %i, %i : i32, i32 -> !asc.local_tensor<f32, VECIN> loc("y")
  // CHECK: asc.add(0) %x, %y, %x
  asc.add(0) %0, %1, %0, %n : !asc.local_tensor<f32, VECIN>, !asc.local_tensor<f32, VECIN>, !asc.local_tensor<f32, VECIN>, i32
  return
}
