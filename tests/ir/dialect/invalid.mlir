// RUN: asc-opt %s --split-input-file --verify-diagnostics
// One part per error of the dialect's types and structural ops.

// expected-error@+1 {{element type is 'i7', expected i1, i8..i64, ui8..ui64, f16, bf16, f32 or f64}}
func.func private @element(!asc.address<i7>)

// -----
// expected-error@+1 {{unknown position 'UB'}}
func.func private @position(!asc.local_tensor<f32, UB>)

// -----
// expected-error@+1 {{position 0 is not on chip}}
func.func private @position_in_global_memory(!asc.local_tensor<f32, GM>)

// -----
// expected-error@+1 {{has 1 parameters, but 2 'names' and 1 'dtypes'}}
asc.kernel @names(%x: i32) attributes {dtypes = [i32], names = ["x", "y"]} {
  asc.return
}

// -----
// expected-error@+1 {{needs a string in 'names' and an element type in 'dtypes' for parameter 0}}
asc.kernel @dtypes(%x: i32) attributes {dtypes = [i7], names = ["x"]} {
  asc.return
}

// -----
// expected-error@+1 {{parameter 0 is 'i32', 'dtypes' says i64}}
asc.kernel @dtype(%x: i32) attributes {dtypes = [i64], names = ["x"]} {
  asc.return
}

// -----
// expected-error@+1 {{parameter 0 points to 'f32', 'dtypes' says f16}}
asc.kernel @pointee(%x: !asc.address<f32>) attributes {dtypes = [f16], names = ["x"]} {
  asc.return
}

// -----
func.func @global(%x: !asc.address<f32>) {
  // expected-error@+1 {{address and tensor have different element types}}
  %g = asc.global_tensor %x : !asc.address<f32> -> !asc.global_tensor<f16>
  return
}

// -----
func.func @reinterpret(%t: !asc.local_tensor<f32, VECIN>) {
  // expected-error@+1 {{cannot change the position}}
  %g = asc.reinterpret_cast %t : !asc.local_tensor<f32, VECIN> -> !asc.local_tensor<f32, VECOUT>
  return
}

// -----
func.func @address_of(%t: !asc.global_tensor<f32>) {
  // expected-error@+1 {{address and tensor have different element types}}
  %g = asc.address_of %t : !asc.global_tensor<f32> -> !asc.address<f16>
  return
}

// -----
func.func @size(%t: !asc.local_tensor<f32, VECIN>) {
  // expected-error@+1 {{result is 'i64', expected i32}}
  %g = asc.size %t : !asc.local_tensor<f32, VECIN> -> i64
  return
}

// -----
func.func @get_value(%t: !asc.local_tensor<ui16, VECIN>, %i: i32) {
  // expected-error@+1 {{value is 'i32', expected 'i16'}}
  %g = asc.get_value %t[%i : i32] : !asc.local_tensor<ui16, VECIN> -> i32
  return
}

// -----
func.func @set_value(%t: !asc.global_tensor<f32>, %i: i32) {
  // expected-error@+1 {{value is 'i32', expected 'f32'}}
  asc.set_value %t[%i : i32], %i : !asc.global_tensor<f32>, i32
  return
}

// -----
func.func @cast(%i: i32) {
  // expected-error@+1 {{dtype number 12 does not stand for 'i32'}}
  %g = asc.convert %i {from = 12 : i32, to = 12 : i32} : i32 -> f32
  return
}

// -----
func.func @checked_cast(%i: i32) {
  // expected-error@+1 {{'checked' is for integers, and float32 is none}}
  %g = asc.convert %i {checked, from = 4 : i32, to = 12 : i32} : i32 -> f32
  return
}

// -----
func.func @event(%i: i32) {
  // expected-error@+1 {{unknown event 'V_V2'}}
  asc.set_flag V_V2, %i : i32
  return
}

// -----
func.func @event_number(%i: i32) {
  // expected-error@+1 {{event is 35, expected 0 to 34}}
  "asc.wait_flag"(%i) {event = 35 : i32} : (i32) -> ()
  return
}

// -----
func.func @pipe() {
  // expected-error@+1 {{unknown pipe 'W'}}
  asc.pipe_barrier W
  return
}

// -----
func.func @pipe_number() {
  // expected-error@+1 {{pipe is 11, expected 0 to 10}}
  "asc.pipe_barrier"() {pipe = 11 : i32} : () -> ()
  return
}

// -----
func.func @pipe_s() {
  // expected-error@+1 {{pipe S runs in order and takes no barrier}}
  asc.pipe_barrier S
  return
}
