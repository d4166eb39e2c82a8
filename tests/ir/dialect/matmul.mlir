// RUN: asc-opt %s | asc-opt | FileCheck %s
// Every op of a Matmul, and its type, reads back what it prints.
!mm = !asc.matmul<f16, f32, f32, 1, 2>

// CHECK-LABEL: asc.kernel @matmul
asc.kernel @matmul(%a: !asc.address<f16>, %c: !asc.address<f32>, %work: !asc.address<ui8>, %n: i32, %flag: i1)
    attributes {dtypes = [f16, f32, ui8, i32, i1], names = ["a", "c", "work", "n", "flag"]} {
  %pipe = asc.pipe : !asc.pipe
  %a_gm = asc.global_tensor %a : !asc.address<f16> -> !asc.global_tensor<f16>
  %c_gm = asc.global_tensor %c : !asc.address<f32> -> !asc.global_tensor<f32>
  // CHECK: %[[MM:.*]] = asc.matmul : !asc.matmul<f16, f32, f32, 1, 2>
  %mm = asc.matmul : !mm
  // CHECK: asc.register_matmul %{{.*}}, %work, %[[MM]] : !asc.pipe, !asc.address<ui8>, !asc.matmul<f16, f32, f32, 1, 2>
  asc.register_matmul %pipe, %work, %mm : !asc.pipe, !asc.address<ui8>, !mm
  // CHECK: asc.matmul_set 0 %[[MM]], %{{.*}} transposed %flag : !asc.matmul<f16, f32, f32, 1, 2>, !asc.global_tensor<f16>
  asc.matmul_set 0 %mm, %a_gm transposed %flag : !mm, !asc.global_tensor<f16>
  // CHECK: asc.matmul_set 2 %[[MM]], %{{.*}} : !asc.matmul<f16, f32, f32, 1, 2>, !asc.global_tensor<f32>
  asc.matmul_set 2 %mm, %c_gm : !mm, !asc.global_tensor<f32>
  // CHECK: asc.matmul_disable_bias %[[MM]] : !asc.matmul<f16, f32, f32, 1, 2>
  asc.matmul_disable_bias %mm : !mm
  // CHECK: asc.matmul_shape 1 %[[MM]], %n, %n, %n : !asc.matmul<f16, f32, f32, 1, 2>, i32, i32, i32
  asc.matmul_shape 1 %mm, %n, %n, %n : !mm, i32, i32, i32
  // CHECK: %{{.*}} = asc.matmul_iterate %[[MM]], %flag : !asc.matmul<f16, f32, f32, 1, 2>
  %more = asc.matmul_iterate %mm, %flag : !mm
  // CHECK: asc.matmul_get_tensor_c %[[MM]], %{{.*}}, %n, %flag : !asc.matmul<f16, f32, f32, 1, 2>, !asc.global_tensor<f32>, i32
  asc.matmul_get_tensor_c %mm, %c_gm, %n, %flag : !mm, !asc.global_tensor<f32>, i32
  // CHECK: asc.matmul_iterate_all %[[MM]], %{{.*}}, %n, %flag : !asc.matmul<f16, f32, f32, 1, 2>, !asc.global_tensor<f32>, i32
  asc.matmul_iterate_all %mm, %c_gm, %n, %flag : !mm, !asc.global_tensor<f32>, i32
  // CHECK: asc.matmul_end %[[MM]] : !asc.matmul<f16, f32, f32, 1, 2>
  asc.matmul_end %mm : !mm
  asc.return
}
