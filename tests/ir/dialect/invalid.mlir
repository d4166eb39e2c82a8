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

// -----
// expected-error@+1 {{no queue leads from position 7 to position 9}}
func.func private @binding(!asc.queue<CO1, VECIN, 1>)

// -----
// expected-error@+1 {{there is no TQue at VECCALC}}
func.func private @queue(!asc.queue<VECCALC, 1>)

// -----
// expected-error@+1 {{depth is 9, expected 0 to 8}}
func.func private @depth(!asc.queue<VECIN, 9>)

// -----
// expected-error@+1 {{position 0 is not on chip}}
func.func private @buf(!asc.buf<GM>)

// -----
// expected-error@+1 {{buffers is 17, expected 1 to 16}}
func.func private @pool(!asc.buf_pool<VECIN, 17>)

// -----
// expected-error@+1 {{memory 0 is not on chip}}
func.func private @allocator(!asc.allocator<GM>)

// -----
func.func @owner(%pool: !asc.buf_pool<A1, 4>, %q: !asc.queue<VECIN, 1>, %n: i32) {
  // expected-error@+1 {{gives memory of '!asc.buf_pool<A1, 4>' to '!asc.queue<VECIN, 1>'}}
  asc.init_queue %pool, %q, %n, %n : !asc.buf_pool<A1, 4>, !asc.queue<VECIN, 1>, i32, i32
  return
}

// -----
func.func @shared(%pipe: !asc.pipe, %pool: !asc.buf_pool<A1, 4>, %other: !asc.buf_pool<VECIN, 4>, %n: i32) {
  // expected-error@+1 {{gives memory of '!asc.buf_pool<VECIN, 4>' to '!asc.buf_pool<A1, 4>'}}
  asc.init_pool %pipe, %pool, %n sharing %other : !asc.buf_pool<VECIN, 4> : !asc.pipe, !asc.buf_pool<A1, 4>, i32
  return
}

// -----
func.func @alloc_tensor(%q: !asc.queue<VECIN, 1>) {
  // expected-error@+1 {{has a tensor at VECOUT, expected VECIN}}
  %t = asc.alloc_tensor %q : !asc.queue<VECIN, 1> -> !asc.local_tensor<f32, VECOUT>
  return
}

// -----
func.func @enque(%q: !asc.queue<VECIN, 1>, %t: !asc.local_tensor<f32, VECIN>) {
  // expected-error@+1 {{has positions that no queue leads between}}
  asc.enque %q, %t from GM to GM : !asc.queue<VECIN, 1>, !asc.local_tensor<f32, VECIN>
  return
}

// -----
func.func @deque(%q: !asc.queue<VECIN, 0>) {
  // expected-error@+1 {{takes the tensor along for a queue of depth 0: asc.deque_in_place}}
  %t = asc.deque %q : !asc.queue<VECIN, 0> -> !asc.local_tensor<f32, VECIN>
  return
}

// -----
func.func @deque_in_place(%q: !asc.queue<VECIN, 1>, %t: !asc.local_tensor<f32, VECIN>) {
  // expected-error@+1 {{is for queues of depth 0}}
  asc.deque_in_place %q, %t : !asc.queue<VECIN, 1>, !asc.local_tensor<f32, VECIN>
  return
}

// -----
func.func @free_tensor(%q: !asc.queue<VECOUT, 1>, %t: !asc.local_tensor<f32, VECIN>) {
  // expected-error@+1 {{has a tensor at VECIN, expected VECOUT}}
  asc.free_tensor %q, %t : !asc.queue<VECOUT, 1>, !asc.local_tensor<f32, VECIN>
  return
}

// -----
func.func @queue_state(%q: !asc.queue<VECOUT, 1>) {
  // expected-error@+1 {{result is 'i32', expected i1}}
  %s = asc.queue_state has_tensor_in_que %q : !asc.queue<VECOUT, 1> -> i32
  return
}

// -----
func.func @query(%q: !asc.queue<VECOUT, 1>) {
  // expected-error@+1 {{unknown query 'empty'}}
  %s = asc.queue_state empty %q : !asc.queue<VECOUT, 1> -> i1
  return
}

// -----
func.func @get_buf(%buf: !asc.buf<VECCALC>, %n: i32) {
  // expected-error@+1 {{has an offset without a size}}
  %t = asc.get_buf %buf offset %n : i32 : !asc.buf<VECCALC> -> !asc.local_tensor<f32, VECCALC>
  return
}

// -----
func.func @event(%pipe: !asc.pipe) {
  // expected-error@+1 {{unknown event 'V_GM'}}
  %i = asc.alloc_event_id %pipe, V_GM : !asc.pipe
  return
}

// -----
func.func @allocate(%a: !asc.allocator<UB>, %n: i32) {
  // expected-error@+1 {{has a tensor at A1, which is not in UB}}
  %t = asc.allocate %a, %n : !asc.allocator<UB>, i32 -> !asc.local_tensor<f32, A1>
  return
}

// -----
func.func @printf_dtypes(%n: i32) {
  // expected-error@+1 {{has 1 values and 2 'dtypes'}}
  asc.printf "%d", %n : i32 {dtypes = array<i32: 4, 4>}
  return
}

// -----
func.func @printf_dtype(%n: i32) {
  // expected-error@+1 {{dtype number 12 does not stand for 'i32'}}
  asc.printf "%f", %n : i32 {dtypes = array<i32: 12>}
  return
}

// -----
func.func @printf_format(%n: i32) {
  // expected-error@+1 {{has the wrong format: '%f' does not take int32}}
  asc.printf "%f", %n : i32 {dtypes = array<i32: 4>}
  return
}

// -----
func.func @printf_count() {
  // expected-error@+1 {{has the wrong format: it has 1 conversions for 0 values}}
  asc.printf "%d" {dtypes = array<i32>}
  return
}

// -----
func.func @assert_names(%c: i1) {
  // expected-error@+1 {{has 0 values and 1 'names'}}
  asc.assert %c, "c", "" {dtypes = array<i32>, names = ["c"]}
  return
}

// -----
func.func @moment() {
  // expected-error@+1 {{unknown moment 'never'}}
  asc.statement never 0 {dtypes = array<i32>, names = []}
  return
}

// -----
func.func @statement_names(%n: i32) {
  // expected-error@+1 {{has 1 values, 1 'dtypes' and 0 'names'}}
  asc.statement line 0, %n : i32 {dtypes = array<i32: 4>, names = []}
  return
}

// -----
func.func @statement_dtype(%x: !asc.address<f32>) {
  // expected-error@+1 {{dtype number 4 does not stand for '!asc.address<f32>'}}
  asc.statement line 0, %x : !asc.address<f32> {dtypes = array<i32: 4>, names = ["x"]}
  return
}

// -----
// expected-error@+1 {{length is 0, expected 1 to 4096}}
func.func private @no_array(!asc.array<i32 x 0>)

// -----
// expected-error@+1 {{length is 16385, expected 1 to 16384}}
func.func private @long_array(!asc.array<i8 x 16385>)

// -----
// expected-error@+1 {{a shape of 9 dimensions, expected 1 to 8}}
func.func private @dimensions(!asc.shape_info<2, 9>)

// -----
func.func @values(%n: i32) {
  // expected-error@+1 {{has 2 values, expected 0, 1 or 3}}
  %a = asc.array %n, %n : i32, i32 -> !asc.array<i32 x 3>
  return
}

// -----
func.func @element(%a: !asc.array<i32 x 3>, %n: i32, %f: f32) {
  // expected-error@+1 {{value is 'f32', expected 'i32'}}
  asc.set_element %a[%n : i32], %f : !asc.array<i32 x 3>, f32
  return
}

// -----
func.func @no_dimensions(%n: i32) {
  %info = asc.shape_info 0 -> !asc.shape_info<0, 0>
  // expected-error@+1 {{asks a ShapeInfo without dimensions}}
  %d = asc.dimension %info[%n : i32] : !asc.shape_info<0, 0>
  return
}

// -----
func.func @shape(%a: !asc.array<f32 x 2>) {
  // expected-error@+1 {{has the shape '!asc.array<f32 x 2>', expected 2 integers of 32 bits}}
  %info = asc.shape_info 0 %a, %a : !asc.array<f32 x 2>, !asc.array<f32 x 2> -> !asc.shape_info<2, 2>
  return
}

// -----
// expected-error@+1 {{a structure has 2 names and 1 types, expected as many, and at least one}}
func.func private @fields(!asc.struct<"S", ["a", "b"], [i32], 8>)

// -----
// expected-error@+1 {{a field is "a": i7, expected the type of a number or a structure}}
func.func private @field(!asc.struct<"S", ["a"], [i7], 8>)

// -----
// expected-error@+1 {{pack is 3, expected 1, 2, 4, 8 or 16}}
func.func private @pack(!asc.struct<"S", ["a"], [i32], 3>)

// -----
// expected-error@+1 {{the name of the header is empty}}
func.func private @header(!asc.struct<"S", ["a"], [i32], 8, "">)

// -----
func.func @values(%n: i32) {
  // expected-error@+1 {{has 1 values, expected 2}}
  %s = asc.struct %n : i32 -> !asc.struct<"S", ["a", "b"], [i32, i32], 8>
  return
}

// -----
func.func @get(%s: !asc.struct<"S", ["a"], [i32], 8>) {
  // expected-error@+1 {{index is 1, expected 0 to 0}}
  %x = asc.get_field %s[1] : !asc.struct<"S", ["a"], [i32], 8> -> i32
  return
}

// -----
func.func @member(%s: !asc.struct<"S", ["a"], [i32], 8>, %f: f32) {
  // expected-error@+1 {{field is 'f32', expected 'i32'}}
  asc.set_field %s[0], %f : !asc.struct<"S", ["a"], [i32], 8>, f32
  return
}

// -----
// expected-error@+1 {{no Matmul of 'f16' gives 'i32' with a bias of 'f32'}}
func.func @types(%m: !asc.matmul<f16, i32, f32, 0, 2>) {
  return
}

// -----
func.func @operand(%m: !asc.matmul<f16, f32, f32, 0, 2>, %t: !asc.global_tensor<f32>, %f: i1) {
  // expected-error@+1 {{has a tensor of 'f32', expected 'f16'}}
  asc.matmul_set 1 %m, %t transposed %f : !asc.matmul<f16, f32, f32, 0, 2>, !asc.global_tensor<f32>
  return
}

// -----
func.func @sizes(%m: !asc.matmul<f16, f32, f32, 0, 2>, %n: i32) {
  // expected-error@+1 {{has 2 sizes}}
  asc.matmul_shape 2 %m, %n, %n : !asc.matmul<f16, f32, f32, 0, 2>, i32, i32
  return
}

// -----
func.func @tiling(%m: !asc.matmul<f16, f32, f32, 0, 2>, %s: !asc.struct<"S", ["a"], [i32], 8>) {
  // expected-error@+1 {{has a tiling of 1 numbers, expected 50}}
  asc.matmul_init %m, %s : !asc.matmul<f16, f32, f32, 0, 2>, !asc.struct<"S", ["a"], [i32], 8>
  return
}

// -----
func.func @position(%t: !asc.local_tensor<f32, VECIN>, %n: i32) {
  // expected-error@+1 {{cannot change the position}}
  %u = asc.shift %t[%n : i32] : !asc.local_tensor<f32, VECIN> -> !asc.local_tensor<f32, VECOUT>
  return
}

// -----
func.func @stack_buffer() {
  // expected-error@+1 {{is not in the unified buffer}}
  %t = asc.stack_buffer -> !asc.local_tensor<f32, A1>
  return
}
