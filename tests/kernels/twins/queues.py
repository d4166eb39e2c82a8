# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Queues, buffers and pools: tensors that are passed on wrongly, and what a queue does not order."""

import asc
import numpy as np

from twins.pair import order, pair

MTE2_V, V_MTE2, V_MTE3, MTE2_MTE3 = asc.HardEvent.MTE2_V, asc.HardEvent.V_MTE2, asc.HardEvent.V_MTE3, asc.HardEvent.MTE2_MTE3
VECIN, VECOUT, VECCALC = asc.TPosition.VECIN, asc.TPosition.VECOUT, asc.TPosition.VECCALC


def doubled(x, y, z):
    return 2 * x


def nothing(x, y, z):
    return z


@asc.jit
def give_memory(pipe, x_queue, z_queue, buffers: asc.ConstExpr = 1):
    pipe.init_buffer(x_queue, buffers, 256)
    pipe.init_buffer(z_queue, buffers, 256)


@asc.jit
def copy_in(x_queue, source):
    tile = x_queue.alloc_tensor(asc.float32)
    asc.data_copy(tile, source, 64)
    x_queue.enque(tile)


@asc.jit
def compute(x_queue, z_queue):
    x_tile = x_queue.deque(asc.float32)
    z_tile = z_queue.alloc_tensor(asc.float32)
    asc.add(z_tile, x_tile, x_tile, 64)
    z_queue.enque(z_tile)
    x_queue.free_tensor(x_tile)


@asc.jit
def copy_out(z_queue, target):
    tile = z_queue.deque(asc.float32)
    asc.data_copy(target, tile, 64)  # <- there
    z_queue.free_tensor(tile)


# ---------------------------------------------------------------- races


@pair("S301", doubled)
@asc.jit
def v_does_not_wait_for_the_tensor_that_mte2_fills(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    x_queue, z_queue = asc.TQue(VECIN, 1), asc.TQue(VECOUT, 1)
    give_memory(pipe, x_queue, z_queue)
    for i in range(4):
        x_tile = x_queue.alloc_tensor(asc.float32)
        asc.data_copy(x_tile, x_gm[64 * i], 64)  # <- there
        x_queue.enque(x_tile)  # <- clean
        x_tile = x_queue.deque(asc.float32)  # <- clean
        z_tile = z_queue.alloc_tensor(asc.float32)
        asc.add(z_tile, x_tile, x_tile, 64)  # <- here
        z_queue.enque(z_tile)
        x_queue.free_tensor(x_tile)
        copy_out(z_queue, z_gm[64 * i])


@pair("S301", doubled)
@asc.jit
def mte3_does_not_wait_for_the_tensor_that_v_fills(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    x_queue, z_queue = asc.TQue(VECIN, 1), asc.TQue(VECOUT, 1)
    give_memory(pipe, x_queue, z_queue)
    for i in range(4):
        copy_in(x_queue, x_gm[64 * i])
        x_tile = x_queue.deque(asc.float32)
        z_tile = z_queue.alloc_tensor(asc.float32)
        asc.add(z_tile, x_tile, x_tile, 64)  # <- there
        z_queue.enque(z_tile)  # <- clean
        x_queue.free_tensor(x_tile)
        z_tile = z_queue.deque(asc.float32)  # <- clean
        asc.data_copy(z_gm[64 * i], z_tile, 64)  # <- here
        z_queue.free_tensor(z_tile)


@pair("S301", doubled)
@asc.jit
def an_input_is_freed_before_its_last_use(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    x_queue, z_queue = asc.TQue(VECIN, 1), asc.TQue(VECOUT, 1)
    give_memory(pipe, x_queue, z_queue)
    for i in range(4):
        x_tile = x_queue.alloc_tensor(asc.float32)
        asc.data_copy(x_tile, x_gm[64 * i], 64)  # <- here
        x_queue.enque(x_tile)
        x_tile = x_queue.deque(asc.float32)
        z_tile = z_queue.alloc_tensor(asc.float32)
        x_queue.free_tensor(x_tile)  # <- racy
        asc.add(z_tile, x_tile, x_tile, 64)  # <- there
        z_queue.enque(z_tile)
        x_queue.free_tensor(x_tile)  # <- clean
        copy_out(z_queue, z_gm[64 * i])


@pair("S301", doubled)
@asc.jit
def an_input_of_two_buffers_is_freed_before_its_last_use(x_gm, y_gm, z_gm):
    """With two buffers it is the load after next that comes too early."""
    pipe = asc.TPipe()
    x_queue, z_queue = asc.TQue(VECIN, 1), asc.TQue(VECOUT, 1)
    give_memory(pipe, x_queue, z_queue, 2)
    for i in range(4):
        x_tile = x_queue.alloc_tensor(asc.float32)
        asc.data_copy(x_tile, x_gm[64 * i], 64)  # <- here
        x_queue.enque(x_tile)
        x_tile = x_queue.deque(asc.float32)
        z_tile = z_queue.alloc_tensor(asc.float32)
        x_queue.free_tensor(x_tile)  # <- racy
        asc.add(z_tile, x_tile, x_tile, 64)  # <- there
        z_queue.enque(z_tile)
        x_queue.free_tensor(x_tile)  # <- clean
        copy_out(z_queue, z_gm[64 * i])


@pair("S301", doubled)
@asc.jit
def a_result_is_freed_before_it_is_copied_out(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    x_queue, z_queue = asc.TQue(VECIN, 1), asc.TQue(VECOUT, 1)
    give_memory(pipe, x_queue, z_queue)
    for i in range(4):
        copy_in(x_queue, x_gm[64 * i])
        x_tile = x_queue.deque(asc.float32)
        z_tile = z_queue.alloc_tensor(asc.float32)
        asc.add(z_tile, x_tile, x_tile, 64)  # <- here
        z_queue.enque(z_tile)
        x_queue.free_tensor(x_tile)
        z_tile = z_queue.deque(asc.float32)
        z_queue.free_tensor(z_tile)  # <- racy
        asc.data_copy(z_gm[64 * i], z_tile, 64)  # <- there
        z_queue.free_tensor(z_tile)  # <- clean


@pair("S301", doubled)
@asc.jit
def a_queue_at_the_wrong_position_orders_other_pipes(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    x_queue, z_queue = asc.TQue(VECIN, 1), asc.TQue(VECOUT, 1)  # <- clean
    x_queue, z_queue = asc.TQue(VECOUT, 1), asc.TQue(VECOUT, 1)  # <- racy
    give_memory(pipe, x_queue, z_queue)
    for i in range(4):
        x_tile = x_queue.alloc_tensor(asc.float32)
        asc.data_copy(x_tile, x_gm[64 * i], 64)  # <- there
        x_queue.enque(x_tile)
        x_tile = x_queue.deque(asc.float32)
        z_tile = z_queue.alloc_tensor(asc.float32)
        asc.add(z_tile, x_tile, x_tile, 64)  # <- here
        z_queue.enque(z_tile)
        x_queue.free_tensor(x_tile)
        copy_out(z_queue, z_gm[64 * i])


@pair("S301", lambda x, y, z: x)
@asc.jit
def data_that_is_only_moved_in_a_queue_for_v(x_gm, y_gm, z_gm):
    """TQue(VECIN) makes V wait for the load, and MTE3 stores it."""
    pipe = asc.TPipe()
    moved = asc.TQueBind(VECIN, VECOUT, 1)  # <- clean
    moved = asc.TQue(VECIN, 1)  # <- racy
    pipe.init_buffer(moved, 1, 256)
    for i in range(4):
        tile = moved.alloc_tensor(asc.float32)
        asc.data_copy(tile, x_gm[64 * i], 64)  # <- there
        moved.enque(tile)
        tile = moved.deque(asc.float32)
        asc.data_copy(z_gm[64 * i], tile, 64)  # <- here
        moved.free_tensor(tile)


@pair("S301", lambda x, y, z: 2 * x[:64])
@asc.jit
def a_tensor_is_filled_after_it_was_put_into_the_queue(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    x_queue, z_queue = asc.TQue(VECIN, 1), asc.TQue(VECOUT, 1)
    give_memory(pipe, x_queue, z_queue)
    x_tile = x_queue.alloc_tensor(asc.float32)
    asc.data_copy(x_tile, x_gm, 32)
    x_queue.enque(x_tile)  # <- racy
    asc.data_copy(x_tile[32], x_gm[32], 32)  # <- there
    x_queue.enque(x_tile)  # <- clean
    x_tile = x_queue.deque(asc.float32)
    z_tile = z_queue.alloc_tensor(asc.float32)
    asc.add(z_tile, x_tile, x_tile, 64)  # <- here
    z_queue.enque(z_tile)
    x_queue.free_tensor(x_tile)
    copy_out(z_queue, z_gm)


@pair("S301", lambda x, y, z: np.concatenate([2 * x[:64], x[:64]]))
@asc.jit
def mte3_stores_an_input(x_gm, y_gm, z_gm):
    """The queue has made V wait for the load, not MTE3."""
    pipe = asc.TPipe()
    x_queue, z_queue = asc.TQue(VECIN, 1), asc.TQue(VECOUT, 1)
    give_memory(pipe, x_queue, z_queue)
    x_tile = x_queue.alloc_tensor(asc.float32)
    asc.data_copy(x_tile, x_gm, 64)  # <- there
    x_queue.enque(x_tile)
    x_tile = x_queue.deque(asc.float32)
    order(MTE2_MTE3, 7)  # <- clean
    asc.data_copy(z_gm[64], x_tile, 64)  # <- here
    z_tile = z_queue.alloc_tensor(asc.float32)
    asc.add(z_tile, x_tile, x_tile, 64)
    z_queue.enque(z_tile)
    x_queue.free_tensor(x_tile)
    copy_out(z_queue, z_gm)


@pair("S301", lambda x, y, z: x[:64] + 1)
@asc.jit
def nothing_orders_the_pipes_at_a_tbuf(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    buffer = asc.TBuf(VECCALC)
    pipe.init_buffer(buffer, 256)
    tile = buffer.get(asc.float32)
    asc.data_copy(tile, x_gm, 64)  # <- there
    number = pipe.fetch_event_id(MTE2_V)
    asc.set_flag(MTE2_V, number)  # <- clean
    asc.wait_flag(MTE2_V, number)  # <- clean
    asc.adds(tile, tile, 1.0, 64)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, tile, 64)


@pair("S302", lambda x, y, z: 3 * x, by_compiler=True)
@asc.jit
def v_and_v_at_a_tbuf_between_queues(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    x_queue, z_queue, buffer = asc.TQue(VECIN, 1), asc.TQue(VECOUT, 1), asc.TBuf(VECCALC)
    give_memory(pipe, x_queue, z_queue, 2)
    pipe.init_buffer(buffer, 256)
    twice = buffer.get(asc.float32)
    for i in range(4):
        copy_in(x_queue, x_gm[64 * i])
        x_tile = x_queue.deque(asc.float32)
        asc.add(twice, x_tile, x_tile, 64)  # <- there
        z_tile = z_queue.alloc_tensor(asc.float32)
        asc.pipe_barrier(asc.PipeID.PIPE_V)  # <- clean
        asc.add(z_tile, twice, x_tile, 64)  # <- here
        z_queue.enque(z_tile)
        x_queue.free_tensor(x_tile)
        copy_out(z_queue, z_gm[64 * i])
        asc.pipe_barrier(asc.PipeID.PIPE_V)


@pair("S301", lambda x, y, z: np.zeros(64))
@asc.jit
def pools_share_memory_and_nothing_orders_their_users(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    first, second = asc.TBufPool(VECCALC), asc.TBufPool(VECCALC)
    pipe.init_buf_pool(first, 256)
    pipe.init_buf_pool(second, 256, first)
    a, b = asc.TBuf(VECCALC), asc.TBuf(VECCALC)
    first.init_buffer(a, 256)
    second.init_buffer(b, 256)
    asc.data_copy(a.get(asc.float32), x_gm, 64)  # <- there
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)  # <- clean
    asc.duplicate(b.get(asc.float32), 0.0, 64)  # <- here
    order(MTE2_MTE3)
    order(V_MTE3)
    asc.data_copy(z_gm, b.get(asc.float32), 64)


@pair("S301", lambda x, y, z: x[:64] + 1)
@asc.jit
def parts_of_a_tbuf_that_overlap(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    buffer = asc.TBuf(VECCALC)
    pipe.init_buffer(buffer, 768)
    first = buffer.get_with_offset(64, 0, asc.float32)
    second = buffer.get_with_offset(64, 512, asc.float32)
    third = buffer.get_with_offset(64, 256, asc.float32)  # <- clean
    third = buffer.get_with_offset(64, 224, asc.float32)  # <- racy
    asc.data_copy(first, x_gm, 64)
    order(MTE2_V)
    asc.pipe_barrier(asc.PipeID.PIPE_MTE2)
    asc.adds(second, first, 1.0, 64)  # <- there
    asc.data_copy(third, y_gm, 64)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, second, 64)


@pair("S301", lambda x, y, z: np.concatenate([2 * x[:64], 4 * x[:64]]), lines_of=("copy_out",))
@asc.jit
def memory_is_used_again_after_a_reset(x_gm, y_gm, z_gm):
    """reset() makes V wait for the stores from freed tensors, and not MTE2."""
    pipe = asc.TPipe()
    buffer, z_queue = asc.TBuf(VECCALC), asc.TQue(VECOUT, 1)
    pipe.init_buffer(buffer, 256)
    pipe.init_buffer(z_queue, 1, 256)
    tile = buffer.get(asc.float32)
    asc.data_copy(tile, x_gm, 64)
    order(MTE2_V)
    z_tile = z_queue.alloc_tensor(asc.float32)
    asc.add(z_tile, tile, tile, 64)
    z_queue.enque(z_tile)
    copy_out(z_queue, z_gm)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)  # <- clean
    pipe.reset()
    again = asc.TBuf(VECCALC)
    pipe.init_buffer(again, 512)
    asc.data_copy(again.get(asc.float32)[64], x_gm, 64)  # <- here
    order(MTE2_V)
    asc.muls(again.get(asc.float32), again.get(asc.float32)[64], 4.0, 64)
    order(V_MTE3)
    asc.data_copy(z_gm[64], again.get(asc.float32), 64)


# ---------------------------------------------------------------- tensors passed on wrongly


@pair("Q106", doubled)
@asc.jit
def an_input_is_never_freed(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    x_queue, z_queue = asc.TQue(VECIN, 1), asc.TQue(VECOUT, 1)
    give_memory(pipe, x_queue, z_queue)
    for i in range(4):
        x_tile = x_queue.alloc_tensor(asc.float32)  # <- here
        asc.data_copy(x_tile, x_gm[64 * i], 64)
        x_queue.enque(x_tile)
        x_tile = x_queue.deque(asc.float32)  # <- there
        z_tile = z_queue.alloc_tensor(asc.float32)
        asc.add(z_tile, x_tile, x_tile, 64)
        z_queue.enque(z_tile)
        x_queue.free_tensor(x_tile)  # <- clean
        copy_out(z_queue, z_gm[64 * i])


@pair("Q105", doubled)
@asc.jit
def a_result_is_never_put_into_its_queue(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    x_queue, z_queue = asc.TQue(VECIN, 1), asc.TQue(VECOUT, 1)
    give_memory(pipe, x_queue, z_queue)
    for i in range(4):
        copy_in(x_queue, x_gm[64 * i])
        x_tile = x_queue.deque(asc.float32)
        z_tile = z_queue.alloc_tensor(asc.float32)  # <- there
        asc.add(z_tile, x_tile, x_tile, 64)
        z_queue.enque(z_tile)  # <- clean
        x_queue.free_tensor(x_tile)
        z_tile = z_queue.deque(asc.float32)  # <- here
        asc.data_copy(z_gm[64 * i], z_tile, 64)
        z_queue.free_tensor(z_tile)


@pair("Q104", nothing)
@asc.jit
def two_tensors_go_into_a_queue_of_depth_1(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    numbers = asc.TQue(VECIN, 2)  # <- clean
    numbers = asc.TQue(VECIN, 1)  # <- racy
    pipe.init_buffer(numbers, 2, 256)
    for i in range(2):
        tile = numbers.alloc_tensor(asc.float32)
        asc.data_copy(tile, x_gm[64 * i], 64)
        numbers.enque(tile)  # <- here, there
    for _ in range(2):
        tile = numbers.deque(asc.float32)
        numbers.free_tensor(tile)


@pair("Q106", nothing)
@asc.jit
def a_queue_of_two_has_one_buffer(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    numbers = asc.TQue(VECIN, 2)
    pipe.init_buffer(numbers, 2, 256)  # <- clean
    pipe.init_buffer(numbers, 1, 256)  # <- racy
    for i in range(2):
        tile = numbers.alloc_tensor(asc.float32)  # <- here
        asc.data_copy(tile, x_gm[64 * i], 64)
        numbers.enque(tile)  # <- there
    for _ in range(2):
        tile = numbers.deque(asc.float32)
        numbers.free_tensor(tile)


@pair("Q102", nothing)
@asc.jit
def a_tensor_is_put_into_the_queue_twice(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    numbers = asc.TQue(VECIN, 2)
    pipe.init_buffer(numbers, 1, 256)
    tile = numbers.alloc_tensor(asc.float32)
    numbers.enque(tile)  # <- there
    numbers.enque(tile)  # <- racy, here
    tile = numbers.deque(asc.float32)
    numbers.free_tensor(tile)


@pair("Q102", nothing)
@asc.jit
def a_freed_tensor_is_put_into_the_queue(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    numbers = asc.TQue(VECIN, 2)
    pipe.init_buffer(numbers, 1, 256)
    tile = numbers.alloc_tensor(asc.float32)
    numbers.free_tensor(tile)  # <- racy, there
    numbers.enque(tile)  # <- here
    tile = numbers.deque(asc.float32)
    numbers.free_tensor(tile)


@pair("Q103", nothing)
@asc.jit
def a_tensor_is_freed_twice(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    numbers = asc.TQue(VECIN, 1)
    pipe.init_buffer(numbers, 1, 256)
    tile = numbers.alloc_tensor(asc.float32)
    numbers.free_tensor(tile)  # <- there
    numbers.free_tensor(tile)  # <- racy, here


@pair("Q101", nothing)
@asc.jit
def a_tensor_goes_back_to_another_queue(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    first, second = asc.TQue(VECIN, 1), asc.TQue(VECIN, 1)
    pipe.init_buffer(first, 1, 256)  # <- there
    pipe.init_buffer(second, 1, 256)
    tile = first.alloc_tensor(asc.float32)
    if asc.get_block_num() == 1:
        first.free_tensor(tile)
        tile = second.alloc_tensor(asc.float32)
    second.free_tensor(tile)  # <- clean
    first.free_tensor(tile)  # <- racy, here


@pair("Q107", nothing)
@asc.jit
def a_tensor_is_never_freed(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    numbers = asc.TQue(VECIN, 1)
    pipe.init_buffer(numbers, 1, 256)
    tile = numbers.alloc_tensor(asc.float32)
    numbers.enque(tile)
    tile = numbers.deque(asc.float32)  # <- here
    numbers.free_tensor(tile)  # <- clean


@pair("Q107", nothing)
@asc.jit
def a_tensor_is_never_taken_out_of_the_queue(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    numbers = asc.TQue(VECIN, 1)
    pipe.init_buffer(numbers, 1, 256)
    tile = numbers.alloc_tensor(asc.float32)
    numbers.enque(tile)  # <- here
    tile = numbers.deque(asc.float32)  # <- clean
    numbers.free_tensor(tile)  # <- clean


@pair("S101", nothing)
@asc.jit
def a_flag_by_hand_takes_an_id_of_the_queue(x_gm, y_gm, z_gm):
    pipe = asc.TPipe()
    numbers = asc.TQue(VECIN, 1)
    pipe.init_buffer(numbers, 1, 256)
    number = pipe.alloc_event_id(MTE2_V)  # <- clean
    number = 0  # <- racy
    asc.set_flag(MTE2_V, number)  # <- there
    tile = numbers.alloc_tensor(asc.float32)
    numbers.enque(tile)  # <- here
    tile = numbers.deque(asc.float32)
    numbers.free_tensor(tile)
    asc.wait_flag(MTE2_V, number)  # <- clean
