// RUN: asc-opt %s | asc-opt | FileCheck %s
// Every op and type of the framework reads back what it prints.

// CHECK-LABEL: asc.kernel @framework
asc.kernel @framework(%n: i32, %wide: i64) attributes {dtypes = [i32, i64], names = ["n", "wide"]} {
  // CHECK: %[[PIPE:.*]] = asc.pipe : !asc.pipe
  %pipe = asc.pipe : !asc.pipe
  // CHECK: %[[Q:.*]] = asc.queue : !asc.queue<VECIN, 2>
  %q = asc.queue : !asc.queue<VECIN, 2>
  // CHECK: %[[BIND:.*]] = asc.queue : !asc.queue<VECIN, VECOUT, 1>
  %bind = asc.queue : !asc.queue<VECIN, VECOUT, 1>
  // CHECK: %[[INPLACE:.*]] = asc.queue : !asc.queue<GM, VECIN, 0>
  %inplace = asc.queue : !asc.queue<GM, VECIN, 0>
  // CHECK: %[[BUF:.*]] = asc.buf : !asc.buf<VECCALC>
  %buf = asc.buf : !asc.buf<VECCALC>
  // CHECK: %[[POOL:.*]] = asc.buf_pool : !asc.buf_pool<VECCALC, 4>
  %pool = asc.buf_pool : !asc.buf_pool<VECCALC, 4>
  // CHECK: %[[OTHER:.*]] = asc.buf_pool : !asc.buf_pool<VECIN, 16>
  %other = asc.buf_pool : !asc.buf_pool<VECIN, 16>
  // CHECK: asc.init_queue %[[PIPE]], %[[Q]], %n, %wide : !asc.pipe, !asc.queue<VECIN, 2>, i32, i64
  asc.init_queue %pipe, %q, %n, %wide : !asc.pipe, !asc.queue<VECIN, 2>, i32, i64
  // CHECK: asc.init_queue %[[POOL]], %[[BIND]], %n, %n : !asc.buf_pool<VECCALC, 4>, !asc.queue<VECIN, VECOUT, 1>, i32, i32
  asc.init_queue %pool, %bind, %n, %n : !asc.buf_pool<VECCALC, 4>, !asc.queue<VECIN, VECOUT, 1>, i32, i32
  // CHECK: asc.init_buf %[[PIPE]], %[[BUF]], %n : !asc.pipe, !asc.buf<VECCALC>, i32
  asc.init_buf %pipe, %buf, %n : !asc.pipe, !asc.buf<VECCALC>, i32
  // CHECK: asc.init_pool %[[PIPE]], %[[POOL]], %n : !asc.pipe, !asc.buf_pool<VECCALC, 4>, i32
  asc.init_pool %pipe, %pool, %n : !asc.pipe, !asc.buf_pool<VECCALC, 4>, i32
  // CHECK: asc.init_pool %[[POOL]], %[[OTHER]], %n sharing %[[POOL]] : !asc.buf_pool<VECCALC, 4> : !asc.buf_pool<VECCALC, 4>, !asc.buf_pool<VECIN, 16>, i32
  asc.init_pool %pool, %other, %n sharing %pool : !asc.buf_pool<VECCALC, 4> : !asc.buf_pool<VECCALC, 4>, !asc.buf_pool<VECIN, 16>, i32
  // CHECK: asc.reset_pool %[[POOL]] : !asc.buf_pool<VECCALC, 4>
  asc.reset_pool %pool : !asc.buf_pool<VECCALC, 4>
  // CHECK: %[[T:.*]] = asc.alloc_tensor %[[Q]] : !asc.queue<VECIN, 2> -> !asc.local_tensor<f16, VECIN>
  %t = asc.alloc_tensor %q : !asc.queue<VECIN, 2> -> !asc.local_tensor<f16, VECIN>
  // CHECK: asc.enque %[[Q]], %[[T]] : !asc.queue<VECIN, 2>, !asc.local_tensor<f16, VECIN>
  asc.enque %q, %t : !asc.queue<VECIN, 2>, !asc.local_tensor<f16, VECIN>
  // CHECK: asc.enque %[[Q]], %[[T]] from GM to VECIN : !asc.queue<VECIN, 2>, !asc.local_tensor<f16, VECIN>
  asc.enque %q, %t from GM to VECIN : !asc.queue<VECIN, 2>, !asc.local_tensor<f16, VECIN>
  // CHECK: %[[U:.*]] = asc.deque %[[Q]] : !asc.queue<VECIN, 2> -> !asc.local_tensor<f16, VECIN>
  %u = asc.deque %q : !asc.queue<VECIN, 2> -> !asc.local_tensor<f16, VECIN>
  // CHECK: asc.deque %[[BIND]] from VECIN to VECOUT : !asc.queue<VECIN, VECOUT, 1> -> !asc.local_tensor<f16, VECOUT>
  %v = asc.deque %bind from VECIN to VECOUT : !asc.queue<VECIN, VECOUT, 1> -> !asc.local_tensor<f16, VECOUT>
  // CHECK: asc.deque_in_place %[[INPLACE]], %[[T]] : !asc.queue<GM, VECIN, 0>, !asc.local_tensor<f16, VECIN>
  asc.deque_in_place %inplace, %t : !asc.queue<GM, VECIN, 0>, !asc.local_tensor<f16, VECIN>
  // CHECK: asc.free_tensor %[[Q]], %[[U]] : !asc.queue<VECIN, 2>, !asc.local_tensor<f16, VECIN>
  asc.free_tensor %q, %u : !asc.queue<VECIN, 2>, !asc.local_tensor<f16, VECIN>
  // CHECK: asc.free_all_event %[[Q]] : !asc.queue<VECIN, 2>
  asc.free_all_event %q : !asc.queue<VECIN, 2>
  // CHECK: asc.queue_state vacant_in_que %[[Q]] : !asc.queue<VECIN, 2> -> i1
  %s0 = asc.queue_state vacant_in_que %q : !asc.queue<VECIN, 2> -> i1
  // CHECK: asc.queue_state get_tensor_count_in_que %[[Q]] : !asc.queue<VECIN, 2> -> i32
  %s1 = asc.queue_state get_tensor_count_in_que %q : !asc.queue<VECIN, 2> -> i32
  // CHECK: asc.get_buf %[[BUF]] : !asc.buf<VECCALC> -> !asc.local_tensor<f32, VECCALC>
  %b0 = asc.get_buf %buf : !asc.buf<VECCALC> -> !asc.local_tensor<f32, VECCALC>
  // CHECK: asc.get_buf %[[BUF]] size %n : i32 : !asc.buf<VECCALC> -> !asc.local_tensor<f32, VECCALC>
  %b1 = asc.get_buf %buf size %n : i32 : !asc.buf<VECCALC> -> !asc.local_tensor<f32, VECCALC>
  // CHECK: asc.get_buf %[[BUF]] size %n : i32 offset %wide : i64 : !asc.buf<VECCALC> -> !asc.local_tensor<f32, VECCALC>
  %b2 = asc.get_buf %buf size %n : i32 offset %wide : i64 : !asc.buf<VECCALC> -> !asc.local_tensor<f32, VECCALC>
  // CHECK: %[[PTR:.*]] = asc.pipe_ptr : !asc.pipe
  %ptr = asc.pipe_ptr : !asc.pipe
  // CHECK: %[[ID:.*]] = asc.alloc_event_id %[[PTR]], MTE2_V : !asc.pipe
  %id = asc.alloc_event_id %ptr, MTE2_V : !asc.pipe
  // CHECK: asc.fetch_event_id %[[PIPE]], V_S : !asc.pipe
  %free = asc.fetch_event_id %pipe, V_S : !asc.pipe
  // CHECK: asc.release_event_id %[[PIPE]], MTE2_V, %[[ID]] : !asc.pipe, i32
  asc.release_event_id %pipe, MTE2_V, %id : !asc.pipe, i32
  // CHECK: asc.base_address %[[PIPE]], VECIN : !asc.pipe
  %base = asc.base_address %pipe, VECIN : !asc.pipe
  // CHECK: asc.pipe_reset %[[PIPE]] : !asc.pipe
  asc.pipe_reset %pipe : !asc.pipe
  // CHECK: asc.pipe_init %[[PIPE]] : !asc.pipe
  asc.pipe_init %pipe : !asc.pipe
  // CHECK: asc.pipe_destroy %[[PIPE]] : !asc.pipe
  asc.pipe_destroy %pipe : !asc.pipe
  asc.return
}

// CHECK-LABEL: asc.kernel @allocator
asc.kernel @allocator(%n: i32) attributes {dtypes = [i32], names = ["n"]} {
  // CHECK: %[[A:.*]] = asc.allocator : !asc.allocator<UB>
  %a = asc.allocator : !asc.allocator<UB>
  // CHECK: asc.allocate %[[A]], %n : !asc.allocator<UB>, i32 -> !asc.local_tensor<f16, VECOUT>
  %t = asc.allocate %a, %n : !asc.allocator<UB>, i32 -> !asc.local_tensor<f16, VECOUT>
  // CHECK: asc.current_address %[[A]] : !asc.allocator<UB>
  %c = asc.current_address %a : !asc.allocator<UB>
  asc.return
}

// CHECK-LABEL: func.func private @all_types
// CHECK-SAME: !asc.queue<VECOUT, 0>, !asc.queue<A1, 1>, !asc.queue<A2, 2>, !asc.queue<B1, 3>, !asc.queue<B2, 4>, !asc.queue<C1, 5>
func.func private @all_types(!asc.queue<VECOUT, 0>, !asc.queue<A1, 1>, !asc.queue<A2, 2>, !asc.queue<B1, 3>, !asc.queue<B2, 4>, !asc.queue<C1, 5>,
  // CHECK-SAME: !asc.queue<C2, 6>, !asc.queue<CO1, 8>, !asc.queue<VECIN, VECIN, 0>, !asc.queue<VECOUT, GM, 1>
  !asc.queue<C2, 6>, !asc.queue<CO1, 8>, !asc.queue<VECIN, VECIN, 0>, !asc.queue<VECOUT, GM, 1>,
  // CHECK-SAME: !asc.buf<A1>, !asc.buf_pool<B1, 1>, !asc.allocator<L0C>
  !asc.buf<A1>, !asc.buf_pool<B1, 1>, !asc.allocator<L0C>)

// No op of the framework moves or disappears.
// RUN: asc-opt %s --pass=all | FileCheck %s --check-prefix=KEEP
// KEEP-LABEL: asc.kernel @nothing_is_dead
// KEEP-COUNT-2: asc.alloc_tensor
// KEEP-COUNT-2: asc.queue_state
// KEEP-COUNT-2: asc.alloc_event_id
asc.kernel @nothing_is_dead() attributes {dtypes = [], names = []} {
  %pipe = asc.pipe : !asc.pipe
  %q = asc.queue : !asc.queue<VECIN, 2>
  %t = asc.alloc_tensor %q : !asc.queue<VECIN, 2> -> !asc.local_tensor<f16, VECIN>
  %u = asc.alloc_tensor %q : !asc.queue<VECIN, 2> -> !asc.local_tensor<f16, VECIN>
  %s = asc.queue_state has_idle_buffer %q : !asc.queue<VECIN, 2> -> i1
  %r = asc.queue_state has_idle_buffer %q : !asc.queue<VECIN, 2> -> i1
  %i = asc.alloc_event_id %pipe, MTE2_V : !asc.pipe
  %j = asc.alloc_event_id %pipe, MTE2_V : !asc.pipe
  asc.return
}
