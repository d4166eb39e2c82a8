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
  // CHECK: asc.shape_info 0 -> !asc.shape_info<0, 0>
  %none = asc.shape_info 0 -> !asc.shape_info<0, 0>
  // CHECK: %[[INFO:.*]] = asc.shape_info 1 %[[A]], %[[U]] : !asc.array<i32 x 2>, !asc.array<ui32 x 2> -> !asc.shape_info<2, 2>
  %info = asc.shape_info 1 %a, %u : !asc.array<i32 x 2>, !asc.array<ui32 x 2> -> !asc.shape_info<2, 2>
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

!part = !asc.struct<"Part", ["ratio", "number"], [f16, ui32], 8>
!whole = !asc.struct<"Whole", ["x", "part"], [i32, !part], 2>

// CHECK-LABEL: asc.kernel @defined_elsewhere(%p: !asc.struct<"P", ["x"], [i32], 8, "points.h">)
asc.kernel @defined_elsewhere(%p: !asc.struct<"P", ["x"], [i32], 8, "points.h">) attributes {dtypes = [!asc.struct<"P", ["x"], [i32], 8, "points.h">], names = ["p"]} {
  asc.return
}

// CHECK-LABEL: asc.kernel @structures(%p: !asc.struct<"Whole", ["x", "part"], [i32, !asc.struct<"Part", ["ratio", "number"], [f16, ui32], 8>], 2>, %n: i32)
asc.kernel @structures(%p: !whole, %n: i32) attributes {dtypes = [!whole, i32], names = ["p", "n"]} {
  %half = arith.constant 0.5 : f16
  // CHECK: %[[S:.*]] = asc.struct %n, %{{.*}}, %n : i32, f16, i32 -> !asc.struct<"Whole"
  %s = asc.struct %n, %half, %n : i32, f16, i32 -> !whole
  // CHECK: %[[PART:.*]] = asc.member %[[S]][1] : !asc.struct<"Whole"{{.*}} -> !asc.struct<"Part"
  %part = asc.member %s[1] : !whole -> !part
  // CHECK: asc.get_field %[[PART]][1] : !asc.struct<"Part"{{.*}} -> i32
  %number = asc.get_field %part[1] : !part -> i32
  // CHECK: asc.set_field %[[S]][0], %{{.*}} : !asc.struct<"Whole"{{.*}}, i32
  asc.set_field %s[0], %number : !whole, i32
  // CHECK: asc.copy_struct %p : !asc.struct<"Whole"
  %copy = asc.copy_struct %p : !whole
  asc.return
}
