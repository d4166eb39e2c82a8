// RUN: asc-opt %s | asc-opt | FileCheck %s
// Every op and type of the objects in scalar memory reads back what it prints.

// CHECK-LABEL: asc.kernel @arrays
asc.kernel @arrays(%n: i32, %f: f32) attributes {dtypes = [i32, f32], names = ["n", "f"]} {
  // CHECK: %[[A:.*]] = asc.array -> !asc.array<i32 x 2>
  %a = asc.array -> !asc.array<i32 x 2>
  // CHECK: %[[F:.*]] = asc.array %f : f32 -> !asc.array<f32 x 8>
  %full = asc.array %f : f32 -> !asc.array<f32 x 8>
  // CHECK: %[[U:.*]] = asc.array %n, %n : i32, i32 -> !asc.array<ui32 x 2>
  %u = asc.array %n, %n : i32, i32 -> !asc.array<ui32 x 2>
  // CHECK: %[[X:.*]] = asc.element %[[F]][%n : i32] : !asc.array<f32 x 8> -> f32
  %x = asc.element %full[%n : i32] : !asc.array<f32 x 8> -> f32
  // CHECK: asc.set_element %[[A]][%n : i32], %n : !asc.array<i32 x 2>, i32
  asc.set_element %a[%n : i32], %n : !asc.array<i32 x 2>, i32
  // CHECK: %[[INFO:.*]] = asc.shape_info %[[A]], %[[U]], 1 : !asc.array<i32 x 2>, !asc.array<ui32 x 2> -> !asc.shape_info<2, 2>
  %info = asc.shape_info %a, %u, 1 : !asc.array<i32 x 2>, !asc.array<ui32 x 2> -> !asc.shape_info<2, 2>
  // CHECK: asc.dimension %[[INFO]][%n : i32] : !asc.shape_info<2, 2>
  %d = asc.dimension %info[%n : i32] : !asc.shape_info<2, 2>
  // CHECK: asc.dimension %[[INFO]][%n : i32] original : !asc.shape_info<2, 2>
  %o = asc.dimension %info[%n : i32] original : !asc.shape_info<2, 2>
  %t = asc.local_tensor %n, %n : i32, i32 -> !asc.local_tensor<f32, VECIN>
  // CHECK: asc.set_shape_info %{{.*}}, %[[INFO]] : !asc.local_tensor<f32, VECIN>, !asc.shape_info<2, 2>
  asc.set_shape_info %t, %info : !asc.local_tensor<f32, VECIN>, !asc.shape_info<2, 2>
  // CHECK: asc.get_shape_info %{{.*}}, %[[INFO]] : !asc.local_tensor<f32, VECIN>, !asc.shape_info<2, 2>
  %same = asc.get_shape_info %t, %info : !asc.local_tensor<f32, VECIN>, !asc.shape_info<2, 2>
  asc.return
}
