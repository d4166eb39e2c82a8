// RUN: asc-opt %s | asc-opt | FileCheck %s
// Every structural op and type reads back what it prints.

// CHECK-LABEL: asc.kernel @tensors(%x: !asc.address<f32>, %y: !asc.address<ui16>, %n: i32, %wide: i64)
// CHECK-SAME: attributes {dtypes = [f32, ui16, i32, ui64], names = ["x", "y", "n", "wide"]}
asc.kernel @tensors(%x: !asc.address<f32>, %y: !asc.address<ui16>, %n: i32, %wide: i64)
    attributes {dtypes = [f32, ui16, i32, ui64], names = ["x", "y", "n", "wide"]} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  // CHECK: %[[MOVED:.*]] = asc.offset %x, %n : !asc.address<f32>, i32
  %moved = asc.offset %x, %n : !asc.address<f32>, i32
  // CHECK: %[[G:.*]] = asc.global_tensor %[[MOVED]], %n : i32 : !asc.address<f32> -> !asc.global_tensor<f32>
  %g = asc.global_tensor %moved, %n : i32 : !asc.address<f32> -> !asc.global_tensor<f32>
  // CHECK: asc.global_tensor %y : !asc.address<ui16> -> !asc.global_tensor<ui16>
  %h = asc.global_tensor %y : !asc.address<ui16> -> !asc.global_tensor<ui16>
  // CHECK: %[[L:.*]] = asc.local_tensor %c0_i32, %c64_i32 : i32, i32 -> !asc.local_tensor<f32, VECIN>
  %l = asc.local_tensor %c0, %c64 : i32, i32 -> !asc.local_tensor<f32, VECIN>
  // CHECK: asc.view %[[G]][%wide : i64] : !asc.global_tensor<f32>
  %gv = asc.view %g[%wide : i64] : !asc.global_tensor<f32>
  // CHECK: asc.view %[[L]][%n : i32] : !asc.local_tensor<f32, VECIN>
  %lv = asc.view %l[%n : i32] : !asc.local_tensor<f32, VECIN>
  // CHECK: asc.reinterpret_cast %[[L]] : !asc.local_tensor<f32, VECIN> -> !asc.local_tensor<ui8, VECIN>
  %bytes = asc.reinterpret_cast %l : !asc.local_tensor<f32, VECIN> -> !asc.local_tensor<ui8, VECIN>
  // CHECK: asc.address_of %[[G]] : !asc.global_tensor<f32> -> !asc.address<f32>
  %a = asc.address_of %g : !asc.global_tensor<f32> -> !asc.address<f32>
  // CHECK: asc.size %[[L]] : !asc.local_tensor<f32, VECIN> -> i32
  %ls = asc.size %l : !asc.local_tensor<f32, VECIN> -> i32
  // CHECK: asc.size %[[G]] : !asc.global_tensor<f32> -> i64
  %gs = asc.size %g : !asc.global_tensor<f32> -> i64
  // CHECK: %[[V:.*]] = asc.get_value %[[L]][%n : i32] : !asc.local_tensor<f32, VECIN> -> f32
  %v = asc.get_value %l[%n : i32] : !asc.local_tensor<f32, VECIN> -> f32
  // CHECK: asc.set_value %[[G]][%wide : i64], %[[V]] : !asc.global_tensor<f32>, f32
  asc.set_value %g[%wide : i64], %v : !asc.global_tensor<f32>, f32
  // CHECK: asc.return
  asc.return
}

// CHECK-LABEL: asc.kernel @sync(%id: i32)
// CHECK-SAME: no_auto_sync
asc.kernel @sync(%id: i32) attributes {dtypes = [i32], names = ["id"], no_auto_sync} {
  // CHECK: asc.set_flag MTE2_V, %id : i32
  asc.set_flag MTE2_V, %id : i32
  // CHECK: asc.wait_flag MTE2_V, %id : i32
  asc.wait_flag MTE2_V, %id : i32
  // CHECK: asc.pipe_barrier MTE3
  asc.pipe_barrier MTE3
  // CHECK: asc.pipe_barrier ALL
  asc.pipe_barrier ALL
  asc.return
}

// CHECK-LABEL: asc.kernel @scalars
asc.kernel @scalars(%i: i32, %f: f32) attributes {dtypes = [i32, f32], names = ["i", "f"]} {
  // CHECK: asc.floor_mod %i, %i : i32
  %a = asc.floor_mod %i, %i : i32
  // CHECK: asc.floor_div %f, %f : f32
  %b = asc.floor_div %f, %f : f32
  // CHECK: asc.convert %i {from = 4 : i32, to = 12 : i32} : i32 -> f32
  %c = asc.convert %i {from = 4 : i32, to = 12 : i32} : i32 -> f32
  asc.return
}

// CHECK-LABEL: func.func private @all_types
// CHECK-SAME: !asc.address<i1>, !asc.address<i8>, !asc.address<i16>, !asc.address<i32>, !asc.address<i64>
func.func private @all_types(!asc.address<i1>, !asc.address<i8>, !asc.address<i16>, !asc.address<i32>, !asc.address<i64>,
  // CHECK-SAME: !asc.global_tensor<ui8>, !asc.global_tensor<ui16>, !asc.global_tensor<ui32>, !asc.global_tensor<ui64>
  !asc.global_tensor<ui8>, !asc.global_tensor<ui16>, !asc.global_tensor<ui32>, !asc.global_tensor<ui64>,
  // CHECK-SAME: !asc.local_tensor<f16, VECIN>, !asc.local_tensor<bf16, VECOUT>, !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f64, A1>
  !asc.local_tensor<f16, VECIN>, !asc.local_tensor<bf16, VECOUT>, !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f64, A1>)

// CHECK-LABEL: asc.kernel @text(%n: i32, %f: f32, %x: !asc.address<f32>)
asc.kernel @text(%n: i32, %f: f32, %x: !asc.address<f32>) attributes {dtypes = [i32, f32, f32], names = ["n", "f", "x"]} {
  %c = arith.constant true
  // CHECK: asc.printf "hello\0A" {dtypes = array<i32>}
  asc.printf "hello\n" {dtypes = array<i32>}
  // CHECK: asc.printf "%d %5.1f %p", %n, %f, %x : i32, f32, !asc.address<f32> {dtypes = array<i32: 4, 12, 9>}
  asc.printf "%d %5.1f %p", %n, %f, %x : i32, f32, !asc.address<f32> {dtypes = array<i32: 4, 12, 9>}
  // CHECK: asc.assert %true, "n < 4", "n is %d", %n, %n : i32, i32 {dtypes = array<i32: 4, 4>, names = ["n"]}
  asc.assert %c, "n < 4", "n is %d", %n, %n : i32, i32 {dtypes = array<i32: 4, 4>, names = ["n"]}
  // CHECK: asc.trap
  asc.trap
  asc.return
}

// CHECK-LABEL: asc.kernel @debug_form(%n: i32, %x: !asc.address<f32>)
asc.kernel @debug_form(%n: i32, %x: !asc.address<f32>) attributes {dtypes = [i32, f32], names = ["n", "x"]} {
  %g = asc.global_tensor %x : !asc.address<f32> -> !asc.global_tensor<f32>
  // CHECK: asc.statement enter 0 {dtypes = array<i32>, names = []}
  asc.statement enter 0 {dtypes = array<i32>, names = []}
  // CHECK: asc.statement line 1, %n, %x, %{{.*}} : i32, !asc.address<f32>, !asc.global_tensor<f32> {dtypes = array<i32: 4, 12, 12>, names = ["n", "x", "g"]}
  asc.statement line 1, %n, %x, %g : i32, !asc.address<f32>, !asc.global_tensor<f32> {dtypes = array<i32: 4, 12, 12>, names = ["n", "x", "g"]}
  // CHECK: asc.statement breakpoint 2 {dtypes = array<i32>, names = []}
  asc.statement breakpoint 2 {dtypes = array<i32>, names = []}
  // CHECK: asc.statement leave 3 {dtypes = array<i32>, names = []}
  asc.statement leave 3 {dtypes = array<i32>, names = []}
  asc.return
}
