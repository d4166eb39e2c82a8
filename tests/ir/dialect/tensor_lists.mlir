// RUN: asc-opt %s | asc-opt | FileCheck %s
// Ops of lists of tensors, and of tensors that get another length, place or tag, read back what they print.

// CHECK-LABEL: asc.kernel @lists
asc.kernel @lists(%x: !asc.address<i32>, %n: i32, %wide: i64) attributes {dtypes = [i32, i32, i64], names = ["x", "n", "wide"]} {
  // CHECK: %[[LIST:.*]] = asc.tensor_list : !asc.tensor_list
  %list = asc.tensor_list : !asc.tensor_list
  // CHECK: %[[DESC:.*]] = asc.tensor_desc : !asc.tensor_desc<f16>
  %desc = asc.tensor_desc : !asc.tensor_desc<f16>
  %shape = asc.array -> !asc.array<i64 x 4>
  // CHECK: asc.list_init %[[LIST]], %x, %n, %n : !asc.tensor_list, !asc.address<i32>
  asc.list_init %list, %x, %n, %n : !asc.tensor_list, !asc.address<i32>
  // CHECK: asc.list_size %[[LIST]] : !asc.tensor_list
  %size = asc.list_size %list : !asc.tensor_list
  // CHECK: asc.list_data %[[LIST]][%wide : i64] : !asc.tensor_list -> !asc.address<f32>
  %data = asc.list_data %list[%wide : i64] : !asc.tensor_list -> !asc.address<f32>
  // CHECK: asc.set_shape_address %[[DESC]], %{{.*}} : !asc.tensor_desc<f16>, !asc.array<i64 x 4>
  asc.set_shape_address %desc, %shape : !asc.tensor_desc<f16>, !asc.array<i64 x 4>
  // CHECK: asc.set_shape_address %[[DESC]], %wide : !asc.tensor_desc<f16>, i64
  asc.set_shape_address %desc, %wide : !asc.tensor_desc<f16>, i64
  // CHECK: asc.list_desc %[[LIST]][%n : i32], %[[DESC]] : !asc.tensor_list, !asc.tensor_desc<f16>
  asc.list_desc %list[%n : i32], %desc : !asc.tensor_list, !asc.tensor_desc<f16>
  // CHECK: asc.list_desc %[[LIST]][%n : i32], %[[DESC]] shape %{{.*}} : !asc.array<i64 x 4> : !asc.tensor_list, !asc.tensor_desc<f16>
  asc.list_desc %list[%n : i32], %desc shape %shape : !asc.array<i64 x 4> : !asc.tensor_list, !asc.tensor_desc<f16>
  // CHECK: asc.desc_dim %[[DESC]] : !asc.tensor_desc<f16>
  %dim = asc.desc_dim %desc : !asc.tensor_desc<f16>
  // CHECK: asc.desc_index %[[DESC]] : !asc.tensor_desc<f16>
  %index = asc.desc_index %desc : !asc.tensor_desc<f16>
  // CHECK: asc.desc_shape %[[DESC]][%n : i32] : !asc.tensor_desc<f16>
  %dimension = asc.desc_shape %desc[%n : i32] : !asc.tensor_desc<f16>
  // CHECK: asc.desc_data %[[DESC]] : !asc.tensor_desc<f16> -> !asc.address<f16>
  %place = asc.desc_data %desc : !asc.tensor_desc<f16> -> !asc.address<f16>
  // CHECK: asc.desc_tensor %[[DESC]] : !asc.tensor_desc<f16> -> !asc.global_tensor<f16>
  %tensor = asc.desc_tensor %desc : !asc.tensor_desc<f16> -> !asc.global_tensor<f16>
  asc.return
}

// CHECK-LABEL: asc.kernel @changed
asc.kernel @changed(%n: i32, %wide: i64) attributes {dtypes = [i32, i64], names = ["n", "wide"]} {
  %pipe = asc.pipe : !asc.pipe
  %q = asc.queue : !asc.queue<VECIN, 2>
  %t = asc.alloc_tensor %q : !asc.queue<VECIN, 2> -> !asc.local_tensor<f16, VECIN>
  // CHECK: %[[SHORT:.*]] = asc.resize %[[T:.*]], %n : !asc.local_tensor<f16, VECIN>, i32
  %short = asc.resize %t, %n : !asc.local_tensor<f16, VECIN>, i32
  // CHECK: asc.resize %[[SHORT]], %wide bytes : !asc.local_tensor<f16, VECIN>, i64
  %bytes = asc.resize %short, %wide bytes : !asc.local_tensor<f16, VECIN>, i64
  // CHECK: asc.shift %[[T]][%n : i32] : !asc.local_tensor<f16, VECIN> -> !asc.local_tensor<i32, VECIN>
  %moved = asc.shift %t[%n : i32] : !asc.local_tensor<f16, VECIN> -> !asc.local_tensor<i32, VECIN>
  // CHECK: asc.set_user_tag %[[T]], %n : !asc.local_tensor<f16, VECIN>
  asc.set_user_tag %t, %n : !asc.local_tensor<f16, VECIN>
  // CHECK: asc.user_tag %[[T]] : !asc.local_tensor<f16, VECIN>
  %tag = asc.user_tag %t : !asc.local_tensor<f16, VECIN>
  // CHECK: asc.enque %{{.*}}, %[[T]] tag %n : !asc.queue<VECIN, 2>, !asc.local_tensor<f16, VECIN>
  asc.enque %q, %t tag %n : !asc.queue<VECIN, 2>, !asc.local_tensor<f16, VECIN>
  // CHECK: asc.stack_buffer -> !asc.local_tensor<i8, VECCALC>
  %rest = asc.stack_buffer -> !asc.local_tensor<i8, VECCALC>
  asc.return
}
