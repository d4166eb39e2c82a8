// RUN: asc-opt %s --pass=inline-functions --locations | FileCheck %s
// Ops of device functions keep their places and know the calls they came by.

// CHECK-NOT: func.func
func.func private @inner(%t: !asc.local_tensor<i32, VECIN>) -> i32 {
  %c0 = arith.constant 0 : i32
  %v = asc.get_value %t[%c0 : i32] : !asc.local_tensor<i32, VECIN> -> i32 loc("v"("k.py":2:4))
  return %v : i32
}
func.func private @outer(%t: !asc.local_tensor<i32, VECIN>) -> i32 {
  %r = func.call @inner(%t) : (!asc.local_tensor<i32, VECIN>) -> i32 loc("k.py":5:4)
  return %r : i32
}
func.func private @made(%a: i32) -> !asc.local_tensor<i32, VECIN> {
  %t = asc.local_tensor %a, %a : i32, i32 -> !asc.local_tensor<i32, VECIN> loc("k.py":13:4)
  return %t : !asc.local_tensor<i32, VECIN>
}
func.func private @made_by_another(%a: i32) -> !asc.local_tensor<i32, VECIN> {
  %t = func.call @made(%a) : (i32) -> !asc.local_tensor<i32, VECIN> loc("k.py":15:4)
  return %t : !asc.local_tensor<i32, VECIN>
}
// CHECK: asc.kernel @twice
asc.kernel @twice(%a: i32) attributes {dtypes = [i32], names = ["a"]} {
  %x = asc.local_tensor %a, %a : i32, i32 -> !asc.local_tensor<i32, VECIN> loc("x")
  %c1 = arith.constant 1 : i32
  // CHECK: %v = asc.get_value %x{{.*}} "v"(k.py:2:4)
  // CHECK-NEXT: at <"inner">[k.py:5:4
  // CHECK-NEXT: at <"outer">[k.py:9:4]]
  %r = func.call @outer(%x) : (!asc.local_tensor<i32, VECIN>) -> i32 loc("k.py":9:4)
  // CHECK: %[[W:.*]] = asc.get_value %x{{.*}} "v"(k.py:2:4)
  // CHECK-NEXT: at <"inner">[k.py:10:4]
  %s = func.call @inner(%x) : (!asc.local_tensor<i32, VECIN>) -> i32 loc("k.py":10:4)
  // CHECK: asc.set_value %x[%v : i32], %[[W]]
  asc.set_value %x[%r : i32], %s : !asc.local_tensor<i32, VECIN>, i32
  asc.return
}

// A tensor without a name has that which the caller gives it.
// CHECK: asc.kernel @named
asc.kernel @named(%a: i32) attributes {dtypes = [i32], names = ["a"]} {
  // CHECK: %tile = asc.local_tensor {{.*}} "tile"(k.py:13:4)
  %t = func.call @made_by_another(%a) : (i32) -> !asc.local_tensor<i32, VECIN> loc("tile"("k.py":17:4))
  asc.set_value %t[%a : i32], %a : !asc.local_tensor<i32, VECIN>, i32
  asc.return
}
