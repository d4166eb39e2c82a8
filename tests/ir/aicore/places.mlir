// RUN: asc-opt %s --emit=listing | FileCheck %s
// Instructions know their Python places, the calls they were inlined through, and the names of values.

// CHECK: site @[[#OUTER:]] "k.py" 9 4 9 20 in "k" called -
// CHECK: site @[[#INNER:]] "k.py" 3 4 3 30 in "fill" called @[[#OUTER]]
// CHECK: site @[[#AGAIN:]] "k.py" 10 4 10 20 in "k" called -
// CHECK: site @[[#SECOND:]] "k.py" 3 4 3 30 in "fill" called @[[#AGAIN]]
// CHECK: duplicate.float32 {{.*}}<t>{{.*}}<n> @[[#INNER]]
// CHECK: duplicate.float32 {{.*}}<t>{{.*}}<n> @[[#SECOND]]
// A view goes by the name of its tensor.
// CHECK: add.float32 {{.*}}<buffer>{{.*}}<buffer>{{.*}}<buffer>
#inside = loc(fused<[3, 30]>["k.py":3:4])
#first = loc(fused<[9, 20]>["k.py":9:4])
#second = loc(fused<[10, 20]>["k.py":10:4])
func.func private @fill(%t: !asc.local_tensor<f32, VECCALC> loc("t"), %f: f32, %n: i32 loc("n")) {
  asc.duplicate(0) %t, %f, %n : !asc.local_tensor<f32, VECCALC>, f32, i32 loc(#inside)
  return
}
asc.kernel @k(%f: f32, %n: i32) attributes {dtypes = [f32, i32], names = ["f", "n"]} {
  %c0 = arith.constant 0 : i32
  %t = asc.local_tensor %c0, %n : i32, i32 -> !asc.local_tensor<f32, VECCALC> loc("buffer")
  func.call @fill(%t, %f, %n) : (!asc.local_tensor<f32, VECCALC>, f32, i32) -> () loc(#first)
  func.call @fill(%t, %f, %n) : (!asc.local_tensor<f32, VECCALC>, f32, i32) -> () loc(#second)
  %v = asc.view %t[%n : i32] : !asc.local_tensor<f32, VECCALC>
  asc.add(0) %t, %t, %v, %n : !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, !asc.local_tensor<f32, VECCALC>, i32
  asc.return
}
