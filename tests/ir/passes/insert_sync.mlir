// RUN: asc-opt %s --pass=insert-sync | FileCheck %s
!gm = !asc.global_tensor<f32>
!ub = !asc.local_tensor<f32, VECCALC>

// A flag from each pipe to the next; one is enough for both copies.
// CHECK-LABEL: asc.kernel @straight
asc.kernel @straight(%x: !asc.address<f32>, %y: !asc.address<f32>) attributes {dtypes = [f32, f32], names = ["x", "y"]} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %x_gm = asc.global_tensor %x : !asc.address<f32> -> !gm
  %y_gm = asc.global_tensor %y : !asc.address<f32> -> !gm
  %a = asc.local_tensor %c0, %c64 : i32, i32 -> !ub loc("a")
  %b = asc.local_tensor %c256, %c64 : i32, i32 -> !ub loc("b")
  // CHECK: asc.data_copy(0) %a
  asc.data_copy(0) %a, %x_gm, %c64 : !ub, !gm, i32 loc("k.py":1:1)
  // CHECK-NEXT: asc.data_copy(0) %b
  asc.data_copy(0) %b, %x_gm, %c64 : !ub, !gm, i32 loc("k.py":2:1)
  // CHECK-NEXT: asc.set_flag MTE2_V, %c0_i32 {asc.why = "data_copy (k.py:2) writes b, add (k.py:3) reads b"} : i32
  // CHECK-NEXT: asc.wait_flag MTE2_V, %c0_i32
  // CHECK-NEXT: asc.add
  asc.add(0) %a, %a, %b, %c64 : !ub, !ub, !ub, i32 loc("k.py":3:1)
  // CHECK-NEXT: asc.set_flag V_MTE3, %c0_i32 {asc.why = "add (k.py:3) writes a, data_copy (k.py:4) reads a"} : i32
  // CHECK-NEXT: asc.wait_flag V_MTE3, %c0_i32
  // CHECK-NEXT: asc.data_copy
  asc.data_copy(0) %y_gm, %a, %c64 : !gm, !ub, i32 loc("k.py":4:1)
  // CHECK-NEXT: asc.return
  asc.return
}

// What a later round of a loop overwrites: a flag that is set before the loop and waited for after it. The stores of the rounds do not meet, so
// MTE3 needs no barrier.
// CHECK-LABEL: asc.kernel @loop
asc.kernel @loop(%x: !asc.address<f32>, %y: !asc.address<f32>, %n: i32) attributes {dtypes = [f32, f32, i32], names = ["x", "y", "n"]} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %x_gm = asc.global_tensor %x : !asc.address<f32> -> !gm
  %y_gm = asc.global_tensor %y : !asc.address<f32> -> !gm
  %a = asc.local_tensor %c0, %c64 : i32, i32 -> !ub loc("a")
  // CHECK: asc.set_flag MTE3_MTE2, %c0_i32
  // CHECK-NEXT: scf.for
  scf.for %i = %c0 to %n step %c64 : i32 {
    %from = asc.view %x_gm[%i : i32] : !gm
    // CHECK: asc.wait_flag MTE3_MTE2, %c0_i32
    // CHECK-NEXT: asc.data_copy(0) %a
    asc.data_copy(0) %a, %from, %c64 : !ub, !gm, i32
    // CHECK-NEXT: asc.set_flag MTE2_MTE3, %c0_i32
    %to = asc.view %y_gm[%i : i32] : !gm
    // CHECK: asc.wait_flag MTE2_MTE3, %c0_i32
    // CHECK-NEXT: asc.data_copy(0) %{{.*}}, %a
    asc.data_copy(0) %to, %a, %c64 : !gm, !ub, i32
    // CHECK-NEXT: asc.set_flag MTE3_MTE2, %c0_i32
    // CHECK-NEXT: {{^ *}$}}
  }
  // CHECK-NEXT: asc.wait_flag MTE3_MTE2, %c0_i32
  asc.return
}

// Rounds that do meet: half of what one stores is stored again by the next.
// CHECK-LABEL: asc.kernel @barrier
asc.kernel @barrier(%y: !asc.address<f32>, %n: i32) attributes {dtypes = [f32, i32], names = ["y", "n"]} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %y_gm = asc.global_tensor %y : !asc.address<f32> -> !gm
  %a = asc.local_tensor %c0, %c64 : i32, i32 -> !ub loc("a")
  scf.for %i = %c0 to %n step %c32 : i32 {
    %to = asc.view %y_gm[%i : i32] : !gm
    // CHECK: asc.pipe_barrier MTE3 {asc.why = "data_copy (k.py:2) writes y, data_copy (k.py:2) writes y in a later round of the loop (k.py:1)"}
    // CHECK-NEXT: asc.data_copy
    asc.data_copy(0) %to, %a, %c64 : !gm, !ub, i32 loc("k.py":2:1)
    // CHECK-NEXT: {{^ *}$}}
  } loc("k.py":1:1)
  asc.return
}

// Between S and V only if the device compiler does not do it.
// CHECK-LABEL: asc.kernel @scalar
asc.kernel @scalar(%f: f32) attributes {dtypes = [f32], names = ["f"]} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %a = asc.local_tensor %c0, %c64 : i32, i32 -> !ub loc("a")
  asc.duplicate(0) %a, %f, %c64 : !ub, f32, i32
  // CHECK-NOT: flag
  asc.set_value %a[%c0 : i32], %f : !ub, f32
  asc.return
}
// CHECK-LABEL: asc.kernel @strict
asc.kernel @strict(%f: f32) attributes {dtypes = [f32], names = ["f"], no_auto_sync} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %a = asc.local_tensor %c0, %c64 : i32, i32 -> !ub loc("a")
  asc.duplicate(0) %a, %f, %c64 : !ub, f32, i32
  // CHECK: asc.set_flag V_S
  // CHECK-NEXT: asc.wait_flag V_S
  asc.set_value %a[%c0 : i32], %f : !ub, f32
  // What S has waited for is over when it hands on the next instruction, so V needs no barrier.
  // CHECK: asc.set_flag S_V
  // CHECK-NEXT: asc.wait_flag S_V
  asc.duplicate(0) %a, %f, %c64 : !ub, f32, i32
  asc.return
}

// The kernel's own flags count, and their ids are not used again.
// CHECK-LABEL: asc.kernel @own_flags
asc.kernel @own_flags(%x: !asc.address<f32>) attributes {dtypes = [f32], names = ["x"]} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %x_gm = asc.global_tensor %x : !asc.address<f32> -> !gm
  %a = asc.local_tensor %c0, %c64 : i32, i32 -> !ub loc("a")
  %b = asc.local_tensor %c256, %c64 : i32, i32 -> !ub loc("b")
  asc.data_copy(0) %a, %x_gm, %c64 : !ub, !gm, i32
  asc.set_flag MTE2_V, %c0 : i32
  // CHECK: asc.wait_flag MTE2_V, %c0_i32 : i32
  asc.wait_flag MTE2_V, %c0 : i32
  // CHECK-NEXT: asc.add
  asc.add(0) %a, %a, %a, %c64 : !ub, !ub, !ub, i32
  asc.data_copy(0) %b, %x_gm, %c64 : !ub, !gm, i32
  // CHECK: asc.set_flag MTE2_V, %c1_i32
  // CHECK-NEXT: asc.wait_flag MTE2_V, %c1_i32
  // CHECK-NEXT: asc.add
  asc.add(0) %b, %b, %b, %c64 : !ub, !ub, !ub, i32
  asc.return
}

// The test of a while loop runs once more often than its body: the flag that the body sets needs no wait after the loop.
// CHECK-LABEL: asc.kernel @while
asc.kernel @while(%limit: f32) attributes {dtypes = [f32], names = ["limit"], no_auto_sync} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %a = asc.local_tensor %c0, %c64 : i32, i32 -> !ub loc("a")
  // CHECK: asc.set_flag V_S, %c0_i32
  // CHECK-NEXT: scf.while
  scf.while : () -> () {
    // CHECK: asc.wait_flag V_S, %c0_i32
    // CHECK-NEXT: asc.get_value
    %v = asc.get_value %a[%c0 : i32] : !ub -> f32
    // CHECK-NEXT: asc.set_flag S_V, %c0_i32
    %go = arith.cmpf olt, %v, %limit : f32
    scf.condition(%go)
  } do {
    asc.round
    // CHECK: asc.wait_flag S_V, %c0_i32
    // CHECK-NEXT: asc.duplicate
    asc.duplicate(0) %a, %limit, %c64 : !ub, f32, i32
    // CHECK-NEXT: asc.set_flag V_S, %c0_i32
    // CHECK-NEXT: scf.yield
    scf.yield
  }
  // CHECK: asc.wait_flag S_V, %c0_i32
  // CHECK-NEXT: asc.return
  asc.return
}
