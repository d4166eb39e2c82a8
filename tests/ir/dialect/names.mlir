// RUN: asc-opt %s | FileCheck %s
// Values print under their Python names.

// CHECK: asc.kernel @k(%x: !asc.address<f32>)
asc.kernel @k(%arg0: !asc.address<f32>) attributes {dtypes = [f32], names = ["x"]} {
  // CHECK: %x_gm = asc.global_tensor %x
  %0 = asc.global_tensor %arg0 : !asc.address<f32> -> !asc.global_tensor<f32> loc("x_gm"("k.py":3:4))
  asc.return
}
