// RUN: asc-opt %s --split-input-file --verify-diagnostics
// One part per error of ops that are made from API rows.

func.func @form(%t: !asc.local_tensor<f32, VECIN>, %n: i32) {
  // expected-error@+1 {{needs a form from 0 to 2}}
  asc.add(3) %t, %t, %t, %n : !asc.local_tensor<f32, VECIN>, !asc.local_tensor<f32, VECIN>, !asc.local_tensor<f32, VECIN>, i32
  return
}

// -----
func.func @operands(%t: !asc.local_tensor<f32, VECIN>) {
  // expected-error@+1 {{form 0, Add($dst, $src0, $src1, $count), takes 4 operands, got 3}}
  asc.add(0) %t, %t, %t : !asc.local_tensor<f32, VECIN>, !asc.local_tensor<f32, VECIN>, !asc.local_tensor<f32, VECIN>
  return
}

// -----
func.func @tensor(%t: !asc.local_tensor<f32, VECIN>, %g: !asc.global_tensor<f32>, %n: i32) {
  // expected-error@+1 {{'src1' is '!asc.global_tensor<f32>', expected a local tensor}}
  asc.add(0) %t, %t, %g, %n : !asc.local_tensor<f32, VECIN>, !asc.local_tensor<f32, VECIN>, !asc.global_tensor<f32>, i32
  return
}

// -----
func.func @value(%t: !asc.local_tensor<f32, VECIN>, %n: i64) {
  // expected-error@+1 {{'count' is 'i64', expected 'i32'}}
  asc.add(0) %t, %t, %t, %n : !asc.local_tensor<f32, VECIN>, !asc.local_tensor<f32, VECIN>, !asc.local_tensor<f32, VECIN>, i64
  return
}

// -----
func.func @number(%t: !asc.local_tensor<f16, VECIN>, %s: f32, %n: i32) {
  // expected-error@+1 {{'scalar' is 'f32', expected 'f16'}}
  asc.adds(0) %t, %t, %s, %n {is_set_mask = true} : !asc.local_tensor<f16, VECIN>, !asc.local_tensor<f16, VECIN>, f32, i32
  return
}

// -----
func.func @flag(%t: !asc.local_tensor<f16, VECIN>, %s: f16, %n: i32) {
  // expected-error@+1 {{needs the attribute 'is_set_mask', true or false}}
  asc.adds(0) %t, %t, %s, %n : !asc.local_tensor<f16, VECIN>, !asc.local_tensor<f16, VECIN>, f16, i32
  return
}

// -----
func.func @enum(%n: i32) {
  // expected-error@+1 {{needs the attribute 'mode', a member of MaskMode}}
  asc.set_vector_mask(1) %n {dtype = f16, mode = 7} : i32
  return
}

// -----
func.func @type(%n: i32) {
  // expected-error@+1 {{needs the attribute 'dtype', an element type}}
  asc.set_vector_mask(1) %n {mode = 0} : i32
  return
}

// -----
func.func @result() {
  // expected-error@+1 {{has one result of type 'i32'}}
  asc.get_block_idx(0)
  return
}

// -----
func.func @no_result() {
  // expected-error@+1 {{has no result}}
  %0 = asc.reset_mask(0) -> i32
  return
}

// -----
// The rules of the row see constants: sizes and offsets of tensors, counts.
func.func @rule_dtype(%t: !asc.local_tensor<f64, VECIN>, %n: i32) {
  // expected-error-re@+1 {{breaks rule R{{[0-9]+}} {{.*}}: 'dst': got {{.*}}float64}}
  asc.add(0) %t, %t, %t, %n : !asc.local_tensor<f64, VECIN>, !asc.local_tensor<f64, VECIN>, !asc.local_tensor<f64, VECIN>, i32
  return
}

// -----
func.func @rule_count(%t: !asc.local_tensor<f32, VECIN>, %g: !asc.global_tensor<f32>) {
  %c20 = arith.constant 20 : i32
  // expected-error-re@+1 {{breaks rule R{{[0-9]+}} {{.*}}: 'count': got count is 20 (80 bytes), expected a multiple of 32 bytes}}
  asc.data_copy(0) %t, %g, %c20 : !asc.local_tensor<f32, VECIN>, !asc.global_tensor<f32>, i32
  return
}

// -----
func.func @rule_alignment(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c64 = arith.constant 64 : i32
  %t = asc.local_tensor %c0, %c64 : i32, i32 -> !asc.local_tensor<f32, VECIN>
  %v = asc.view %t[%c3 : i32] : !asc.local_tensor<f32, VECIN>
  // expected-error-re@+1 {{breaks rule R{{[0-9]+}} {{.*}}: 'src1': got {{.*}}12}}
  asc.add(0) %t, %t, %v, %n : !asc.local_tensor<f32, VECIN>, !asc.local_tensor<f32, VECIN>, !asc.local_tensor<f32, VECIN>, i32
  return
}

// -----
func.func @rule_range(%t: !asc.local_tensor<f32, VECIN>, %s: f32, %m: i64) {
  %c256 = arith.constant 256 : i32
  %c1 = arith.constant 1 : i32
  // expected-error-re@+1 {{breaks rule R{{[0-9]+}} {{.*}}: 'repeat_times': got {{.*}}256}}
  asc.duplicate(1) %t, %s, %m, %c256, %c1, %c1 {is_set_mask = true} : !asc.local_tensor<f32, VECIN>, f32, i64, i32, i32, i32
  return
}

// -----
func.func @constant(%v: i64) {
  // expected-error@+1 {{needs the attribute 'count_value', an integer}}
  %0 = asc.scalar_get_sff_value(0) %v : i64 -> i64
  return
}

// -----
func.func @constant_out_of_range(%v: i64) {
  // expected-error@+1 {{breaks rule R105 (value within its range): 'count_value': got count_value is 2, expected 0 to 1}}
  %0 = asc.scalar_get_sff_value(0) %v {count_value = 2 : i64} : i64 -> i64
  return
}

// -----
func.func @result_of_another_type(%v: f32) {
  // expected-error@+1 {{has one result of type 'i32'}}
  %0 = asc.scalar_cast(0) %v {dtype = i32, round_mode = 1 : i64} : f32 -> f16
  return
}

// -----
func.func @result_of_no_type(%v: f32) {
  // expected-error@+1 {{needs the attribute 'dtype', an element type}}
  %0 = asc.scalar_cast(0) %v {round_mode = 1 : i64} : f32 -> f16
  return
}
