// RUN: asc-opt %s --emit=ascendc | FileCheck %s
// Tensors, addresses and single elements.

// CHECK: #include "kernel_operator.h"
// CHECK: extern "C" __global__ __aicore__ void tensors(GM_ADDR x, int32_t n)
// CHECK-NEXT: {
// CHECK-NEXT:   AscendC::InitSocState();
asc.kernel @tensors(%x: !asc.address<f32>, %n: i32) attributes {dtypes = [f32, i32], names = ["x", "n"]} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  // CHECK-NEXT: AscendC::GlobalTensor<float> x_gm;
  // CHECK-NEXT: x_gm.SetGlobalBuffer((__gm__ float*)x + n * 64, n);
  %o = arith.muli %n, %c64 overflow<nsw> : i32
  %p = asc.offset %x, %o : !asc.address<f32>, i32
  %g = asc.global_tensor %p, %n : i32 : !asc.address<f32> -> !asc.global_tensor<f32> loc("x_gm")
  // CHECK-NEXT: AscendC::LocalTensor<float> x_local(AscendC::TPosition::VECIN, 0, 64);
  %l = asc.local_tensor %c0, %c64 : i32, i32 -> !asc.local_tensor<f32, VECIN> loc("x_local")
  // A view with a Python name keeps it.
  // CHECK-NEXT: AscendC::LocalTensor<float> tail = x_local[n];
  %v = asc.view %l[%n : i32] : !asc.local_tensor<f32, VECIN> loc("tail")
  // CHECK-NEXT: AscendC::LocalTensor<uint8_t> bytes = tail.ReinterpretCast<uint8_t>();
  %b = asc.reinterpret_cast %v : !asc.local_tensor<f32, VECIN> -> !asc.local_tensor<ui8, VECIN> loc("bytes")
  // CHECK-NEXT: uint8_t element = bytes.GetValue(n);
  %e = asc.get_value %b[%n : i32] : !asc.local_tensor<ui8, VECIN> -> i8 loc("element")
  // CHECK-NEXT: bytes.SetValue(0, element);
  asc.set_value %b[%c0 : i32], %e : !asc.local_tensor<ui8, VECIN>, i8
  // CHECK-NEXT: uint64_t size = x_gm.GetSize();
  %s = asc.size %g : !asc.global_tensor<f32> -> i64 loc("size")
  // CHECK-NEXT: AscendC::GlobalTensor<float> again;
  // CHECK-NEXT: again.SetGlobalBuffer(x_gm.GetPhyAddr(), size);
  %a = asc.address_of %g : !asc.global_tensor<f32> -> !asc.address<f32>
  %h = asc.global_tensor %a, %s : i64 : !asc.address<f32> -> !asc.global_tensor<f32> loc("again")
  // CHECK-NEXT: again.SetValue(size, x_local.GetSize() == 64 ? 1.0f : 0.0f);
  %ls = asc.size %l : !asc.local_tensor<f32, VECIN> -> i32
  %eq = arith.cmpi eq, %ls, %c64 : i32
  %f1 = arith.constant 1.0 : f32
  %f0 = arith.constant 0.0 : f32
  %pick = arith.select %eq, %f1, %f0 : f32
  asc.set_value %h[%s : i64], %pick : !asc.global_tensor<f32>, f32
  // CHECK-NEXT: }
  asc.return
}
