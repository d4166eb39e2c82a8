// RUN: asc-opt %s --emit=ascendc | FileCheck %s
// The text of every kind of argument: tensors, counts, numbers, masks, structs, flags, enums, types.

// CHECK: extern "C" __global__ __aicore__ void api(GM_ADDR x, int32_t n, float s, uint64_t bits, half h)
asc.kernel @api(%x: !asc.address<f16>, %n: i32, %s: f32, %bits: i64, %h: f16)
    attributes {dtypes = [f16, i32, f32, ui64, f16], names = ["x", "n", "s", "bits", "h"]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %m64 = arith.constant 64 : i64
  %zero = arith.constant 0 : i64
  %one8 = arith.constant 1 : i8
  %eight8 = arith.constant 8 : i8
  %one16 = arith.constant 1 : i16
  %four16 = arith.constant 4 : i16
  %ones = arith.constant -1 : i64
  %half = arith.constant 5.000000e-01 : f16
  %g = asc.global_tensor %x : !asc.address<f16> -> !asc.global_tensor<f16> loc("x_gm")
  %f = asc.local_tensor %c0, %c256 : i32, i32 -> !asc.local_tensor<f32, VECCALC> loc("f")
  %t = asc.local_tensor %c0, %c256 : i32, i32 -> !asc.local_tensor<f16, VECIN> loc("t")
  %i = asc.local_tensor %c0, %c256 : i32, i32 -> !asc.local_tensor<i32, VECIN> loc("i")

  // CHECK: AscendC::Add(f, f, f, n);
  asc.add(0) %f, %f, %f, %n : !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, i32
  // CHECK: AscendC::Mul<float, true>(f, f, f, 64, 2, AscendC::BinaryRepeatParams(1, 1, 1, 8, 8, 8));
  asc.mul(1) %f, %f, %f, %m64, %c2, %one8, %one8, %one8, %eight8, %eight8, %eight8 {is_set_mask = true}
    : !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, i64, i32, i8, i8, i8, i8, i8, i8
  // CHECK: uint64_t mask[2] = {0xffffffffffffffffULL, 0x0ULL};
  // CHECK-NEXT: AscendC::Sub<float, false>(f, f, f, mask, 2, AscendC::BinaryRepeatParams(1, 1, 1, 8, 8, 8));
  asc.sub(2) %f, %f, %f, %ones, %zero, %c2, %one8, %one8, %one8, %eight8, %eight8, %eight8 {is_set_mask = false}
    : !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, i64, i64, i32, i8, i8, i8, i8, i8, i8
  // CHECK: uint64_t mask_1[2] = {bits, 0x0ULL};
  // CHECK-NEXT: AscendC::Max<float, true>(f, f, f, mask_1, 2, AscendC::BinaryRepeatParams(1, 1, 1, 8, 8, 8));
  asc.max(2) %f, %f, %f, %bits, %zero, %c2, %one8, %one8, %one8, %eight8, %eight8, %eight8 {is_set_mask = true}
    : !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, i64, i64, i32, i8, i8, i8, i8, i8, i8
  // CHECK: AscendC::Adds<half, true>(t, t, (half)0.5f, 256);
  asc.adds(0) %t, %t, %half, %c256 {is_set_mask = true} : !asc.local_tensor<f16, VECIN>, !asc.local_tensor<f16, VECIN>, f16, i32
  // CHECK: AscendC::Muls<float, true>(f, f, s, n);
  asc.muls(0) %f, %f, %s, %n {is_set_mask = true} : !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, f32, i32
  // CHECK: AscendC::Duplicate(t, h, 256);
  asc.duplicate(0) %t, %h, %c256 : !asc.local_tensor<f16, VECIN>, f16, i32
  // CHECK: AscendC::Duplicate(i, 64, 256);
  asc.duplicate(0) %i, %c64, %c256 : !asc.local_tensor<i32, VECIN>, i32, i32
  // CHECK: AscendC::DataCopy(t[64], x_gm[n], 64);
  %tv = asc.view %t[%c64 : i32] : !asc.local_tensor<f16, VECIN>
  %gv = asc.view %g[%n : i32] : !asc.global_tensor<f16>
  asc.data_copy(0) %tv, %gv, %c64 : !asc.local_tensor<f16, VECIN>, !asc.global_tensor<f16>, i32
  // CHECK: AscendC::DataCopy(x_gm, t, AscendC::DataCopyParams(1, 4, 1, 1));
  asc.data_copy(1) %g, %t, %one16, %four16, %one16, %one16 : !asc.global_tensor<f16>, !asc.local_tensor<f16, VECIN>, i16, i16, i16, i16
  // CHECK: AscendC::SetMaskCount();
  asc.set_mask_count(0)
  // CHECK: AscendC::SetVectorMask<half, AscendC::MaskMode::COUNTER>(0, bits);
  asc.set_vector_mask(0) %zero, %bits {dtype = f16, mode = 1} : i64, i64
  // CHECK: AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(0);
  asc.set_flag MTE2_V, %c0 : i32
  // CHECK: AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(n + 1);
  %id = arith.addi %n, %c1 overflow<nsw> : i32
  asc.wait_flag MTE2_V, %id : i32
  // CHECK: AscendC::PipeBarrier<PIPE_ALL>();
  asc.pipe_barrier ALL
  asc.return
}
