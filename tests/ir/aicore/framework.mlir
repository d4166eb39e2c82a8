// RUN: asc-opt %s --emit=listing | FileCheck %s
// Objects are numbered as they are constructed, anew in every inlined function; the TPipe ends with the block that makes it.

// CHECK: object o0 queue GM VECIN 2
// CHECK: object o1 buffer VECCALC VECCALC
// CHECK: object o2 pool VECCALC VECCALC 4
// CHECK: object o3 pool VECIN VECIN 2
// CHECK: object o4 queue VECOUT GM 1
// CHECK: object o5 queue VECOUT GM 1
// CHECK: code
func.func private @use(%pipe: !asc.pipe, %q: !asc.queue<VECIN, 2>, %n: i32) {
  %own = asc.queue : !asc.queue<VECOUT, 1>
  asc.init_queue %pipe, %own, %n, %n : !asc.pipe, !asc.queue<VECOUT, 1>, i32, i32
  %t = asc.alloc_tensor %q : !asc.queue<VECIN, 2> -> !asc.local_tensor<f16, VECIN>
  asc.enque %q, %t from GM to VECIN : !asc.queue<VECIN, 2>, !asc.local_tensor<f16, VECIN>
  return
}
asc.kernel @framework(%n: i32) attributes {dtypes = [i32], names = ["n"]} {
  %c2 = arith.constant 2 : i32
  // CHECK-NEXT: pipe_init
  %pipe = asc.pipe : !asc.pipe
  // CHECK-NEXT: construct o0
  %q = asc.queue : !asc.queue<VECIN, 2>
  // CHECK-NEXT: construct o1
  %buf = asc.buf : !asc.buf<VECCALC>
  // CHECK-NEXT: construct o2
  %pool = asc.buf_pool : !asc.buf_pool<VECCALC, 4>
  // CHECK-NEXT: construct o3
  %other = asc.buf_pool : !asc.buf_pool<VECIN, 2>
  // CHECK-NEXT: move.int64 r[[#SIZES:]], {{r[0-9]+}}
  // CHECK-NEXT: s_cast.int64 r[[#SIZES+1]], {{r[0-9]+}}, int32
  // CHECK-NEXT: init_queue o0, -, t[[#SIZES]]
  asc.init_queue %pipe, %q, %c2, %n : !asc.pipe, !asc.queue<VECIN, 2>, i32, i32
  // CHECK-NEXT: s_cast.int64 [[N:r[0-9]+]]
  // CHECK-NEXT: init_pool o2, -, [[N]]
  asc.init_pool %pipe, %pool, %n : !asc.pipe, !asc.buf_pool<VECCALC, 4>, i32
  // CHECK-NEXT: share_pool o3, o2, {{r[0-9]+}}
  asc.init_pool %pipe, %other, %c2 sharing %pool : !asc.buf_pool<VECCALC, 4> : !asc.pipe, !asc.buf_pool<VECIN, 2>, i32
  // CHECK-NEXT: init_buffer o1, o2, {{r[0-9]+}}
  asc.init_buf %pool, %buf, %c2 : !asc.buf_pool<VECCALC, 4>, !asc.buf<VECCALC>, i32
  // CHECK-NEXT: construct o4
  // CHECK: init_queue o4, -
  // CHECK-NEXT: alloc_tensor.float16 [[T:t[0-9]+]], o0
  // CHECK-NEXT: enque MTE2_V, [[T]], o0
  func.call @use(%pipe, %q, %n) : (!asc.pipe, !asc.queue<VECIN, 2>, i32) -> ()
  // CHECK-NEXT: construct o5
  // CHECK: alloc_tensor.float16 [[T:t[0-9]+]], o0
  // CHECK-NEXT: enque MTE2_V, [[T]], o0
  %again = asc.pipe_ptr : !asc.pipe
  func.call @use(%again, %q, %n) : (!asc.pipe, !asc.queue<VECIN, 2>, i32) -> ()
  // CHECK-NEXT: deque.float16 MTE2_V, [[U:t[0-9]+]], o0
  %u = asc.deque %q : !asc.queue<VECIN, 2> -> !asc.local_tensor<f16, VECIN>
  // CHECK-NEXT: free_tensor [[U]], o0
  asc.free_tensor %q, %u : !asc.queue<VECIN, 2>, !asc.local_tensor<f16, VECIN>
  // CHECK-NEXT: queue_state has_tensor_in_que, {{r[0-9]+}}, o0
  %s = asc.queue_state has_tensor_in_que %q : !asc.queue<VECIN, 2> -> i1
  // CHECK-NEXT: get_buffer.float32 {{t[0-9]+}}, o1, -
  %b0 = asc.get_buf %buf : !asc.buf<VECCALC> -> !asc.local_tensor<f32, VECCALC>
  // CHECK-NEXT: move.int64
  // CHECK-NEXT: move.int64
  // CHECK-NEXT: get_buffer.float32 {{t[0-9]+}}, o1, t{{[0-9]+}}
  %b1 = asc.get_buf %buf size %c2 : i32 : !asc.buf<VECCALC> -> !asc.local_tensor<f32, VECCALC>
  // CHECK-NEXT: alloc_event_id MTE2_V, [[ID:r[0-9]+]]
  %id = asc.alloc_event_id %pipe, MTE2_V : !asc.pipe
  // CHECK-NEXT: release_event_id MTE2_V, [[ID]]
  asc.release_event_id %pipe, MTE2_V, %id : !asc.pipe, i32
  // CHECK-NEXT: pipe_destroy
  // CHECK-NEXT: halt
  asc.return
}
