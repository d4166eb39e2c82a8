// RUN: asc-opt %s --pass=plan-memory | FileCheck %s

// One after the other where there is room, behind what has its own address.
// CHECK-LABEL: asc.kernel @apart
asc.kernel @apart() attributes {dtypes = [], names = []} {
  %c0 = arith.constant 0 : i32
  %c10 = arith.constant 10 : i32
  // CHECK: %fixed = asc.local_tensor
  %fixed = asc.local_tensor %c0, %c10 : i32, i32 -> !asc.local_tensor<f32, VECIN> loc("fixed")
  // CHECK: %[[A:.*]] = arith.constant 64 : i32
  // CHECK: %a = asc.local_tensor %[[A]], %c10_i32
  %a = asc.auto_tensor %c10 : i32 -> !asc.local_tensor<f32, VECCALC> loc("a")
  // CHECK: %[[B:.*]] = arith.constant 128 : i32
  // CHECK: %b = asc.local_tensor %[[B]], %c10_i32
  %b = asc.auto_tensor %c10 : i32 -> !asc.local_tensor<f16, VECCALC> loc("b")
  asc.add(0) %a, %a, %fixed, %c10 : !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECIN>, i32
  asc.add(0) %b, %b, %b, %c10 : !asc.local_tensor<f16, VECCALC>, !asc.local_tensor<f16, VECCALC>, !asc.local_tensor<f16, VECCALC>, i32
  asc.return
}

// 96 KiB, 96 KiB and 64 KiB: the third takes the place of the first, whose last use comes before. A view is a use of its tensor.
// CHECK-LABEL: asc.kernel @reused
asc.kernel @reused() attributes {dtypes = [], names = []} {
  %c64 = arith.constant 64 : i32
  %large = arith.constant 24576 : i32
  %small = arith.constant 16384 : i32
  // CHECK: %[[A:.*]] = arith.constant 0 : i32
  // CHECK: %a = asc.local_tensor %[[A]],
  %a = asc.auto_tensor %large : i32 -> !asc.local_tensor<f32, VECCALC> loc("a")
  %part = asc.view %a[%c64 : i32] : !asc.local_tensor<f32, VECCALC>
  // CHECK: %[[B:.*]] = arith.constant 98304 : i32
  // CHECK: %b = asc.local_tensor %[[B]],
  %b = asc.auto_tensor %large : i32 -> !asc.local_tensor<f32, VECCALC> loc("b")
  // CHECK: %[[C:.*]] = arith.constant 0 : i32
  // CHECK: %c = asc.local_tensor %[[C]],
  %c = asc.auto_tensor %small : i32 -> !asc.local_tensor<f32, VECCALC> loc("c")
  asc.add(0) %b, %part, %part, %c64 : !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, i32
  asc.add(0) %c, %b, %b, %c64 : !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, i32
  asc.return
}

// What a loop uses is alive as long as the loop runs; what it makes is not.
// CHECK-LABEL: asc.kernel @loop
asc.kernel @loop(%n: i32) attributes {dtypes = [i32], names = ["n"]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %size = arith.constant 24576 : i32
  %f = arith.constant 1.0 : f32
  // CHECK: %a = asc.local_tensor %c0_i32{{[_0-9]*}},
  %a = asc.auto_tensor %size : i32 -> !asc.local_tensor<f32, VECCALC> loc("a")
  scf.for %i = %c0 to %n step %c1 : i32 {
    // CHECK: %[[B:.*]] = arith.constant 98304 : i32
    // CHECK: %b = asc.local_tensor %[[B]],
    %b = asc.auto_tensor %size : i32 -> !asc.local_tensor<f32, VECCALC> loc("b")
    asc.add(0) %b, %a, %a, %c64 : !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, i32
    asc.add(0) %b, %b, %b, %c64 : !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, i32
    // CHECK: %[[C:.*]] = arith.constant 98304 : i32
    // CHECK: %c = asc.local_tensor %[[C]],
    %c = asc.auto_tensor %size : i32 -> !asc.local_tensor<f32, VECCALC> loc("c")
    asc.duplicate(0) %c, %f, %c64 : !asc.local_tensor<f32, VECCALC>, f32, i32
  }
  asc.return
}

// Sizes known at run time only: each tensor lies behind the one made before it on every path, in whole blocks. Those that may share bytes, here
// because both follow %a, are of one area.
// CHECK-LABEL: asc.kernel @run_time_sizes
asc.kernel @run_time_sizes(%n: i32, %test: i1) attributes {dtypes = [i32, i1], names = ["n", "test"]} {
  %c8 = arith.constant 8 : i32
  %f = arith.constant 1.0 : f32
  // CHECK: %a = asc.local_tensor %c32_i64, %n {asc.area = 0 : i32}
  %a = asc.auto_tensor %n : i32 -> !asc.local_tensor<f32, VECCALC> loc("a")
  // CHECK: %s = asc.local_tensor %c0_i32
  %s = asc.auto_tensor %c8 : i32 -> !asc.local_tensor<f32, VECCALC> loc("s")
  scf.if %test {
    // CHECK: %[[N:.*]] = asc.convert %n {{.*}} : i32 -> i64
    // CHECK: %[[BYTES:.*]] = arith.muli %[[N]], %c4_i64
    // CHECK: %[[END:.*]] = arith.addi %c32_i64{{.*}}, %[[BYTES]]
    // CHECK: %[[UP:.*]] = arith.addi %[[END]], %c31_i64
    // CHECK: %[[START:.*]] = arith.andi %[[UP]], %c-32_i64
    // CHECK: %b = asc.local_tensor %[[START]], %n {asc.area = 1 : i32}
    %b = asc.auto_tensor %n : i32 -> !asc.local_tensor<f32, VECCALC> loc("b")
    asc.duplicate(0) %b, %f, %c8 : !asc.local_tensor<f32, VECCALC>, f32, i32
  }
  // CHECK: %c = asc.local_tensor %{{.*}}, %n {asc.area = 1 : i32}
  %c = asc.auto_tensor %n : i32 -> !asc.local_tensor<f32, VECCALC> loc("c")
  asc.add(0) %c, %a, %s, %c8 : !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, i32
  asc.return
}
