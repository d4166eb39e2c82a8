# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Between MTE2, V and MTE3: flags that are missing, too early, too late, for another pipe or for another buffer."""

import asc
import numpy as np

from twins.pair import order, pair, tile

MTE2_V, V_MTE2, V_MTE3, MTE3_V = asc.HardEvent.MTE2_V, asc.HardEvent.V_MTE2, asc.HardEvent.V_MTE3, asc.HardEvent.MTE3_V
MTE2_MTE3, MTE3_MTE2 = asc.HardEvent.MTE2_MTE3, asc.HardEvent.MTE3_MTE2


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def v_reads_what_mte2_loads(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)  # <- there
    order(MTE2_V)  # <- clean
    asc.adds(z, x, 1.0, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: np.full_like(x, 3))
@asc.jit
def v_overwrites_what_mte2_loads(x_gm, y_gm, z_gm):
    z = tile(0)
    asc.data_copy(z, x_gm, 256)  # <- there
    order(MTE2_V)  # <- clean
    asc.duplicate(z, 3.0, 256)  # <- here
    order(MTE2_MTE3)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def mte2_overwrites_what_v_reads(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    asc.pipe_barrier(asc.PipeID.PIPE_MTE2)
    asc.adds(z, x, 1.0, 256)  # <- there
    order(V_MTE2)  # <- clean
    asc.data_copy(x, y_gm, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x)
@asc.jit
def mte2_overwrites_what_v_writes(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.duplicate(x, 3.0, 256)  # <- there
    order(V_MTE2)  # <- clean
    asc.data_copy(x, x_gm, 256)  # <- here
    order(V_MTE3)
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def mte3_stores_what_v_writes(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    asc.adds(z, x, 1.0, 256)  # <- there
    order(V_MTE3)  # <- clean
    asc.data_copy(z_gm, z, 256)  # <- here


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def v_overwrites_what_mte3_stores(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    asc.adds(z, x, 1.0, 256)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)  # <- there
    order(MTE3_V)  # <- clean
    asc.duplicate(z, 0.0, 256)  # <- here


@pair("S301", lambda x, y, z: x)
@asc.jit
def mte3_stores_what_mte2_loads(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)  # <- there
    order(MTE2_MTE3)  # <- clean
    asc.data_copy(z_gm, x, 256)  # <- here


@pair("S301", lambda x, y, z: x)
@asc.jit
def mte2_overwrites_what_mte3_stores(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)
    asc.pipe_barrier(asc.PipeID.PIPE_MTE2)
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)  # <- there
    order(MTE3_MTE2)  # <- clean
    asc.data_copy(x, y_gm, 256)  # <- here


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def ordered_through_a_third_pipe(x_gm, y_gm, z_gm):
    """V comes before MTE3, and MTE3 before MTE2."""
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    asc.pipe_barrier(asc.PipeID.PIPE_MTE2)
    asc.adds(z, x, 1.0, 256)  # <- there
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)
    order(MTE3_MTE2)  # <- clean
    asc.data_copy(x, y_gm, 256)  # <- here


@pair("S301", lambda x, y, z: np.concatenate([x + 1, x]))
@asc.jit
def a_chain_that_begins_too_early(x_gm, y_gm, z_gm):
    """The flag for MTE3 is set before V has waited for the load."""
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)  # <- there
    asc.set_flag(MTE2_V, 0)
    asc.set_flag(V_MTE3, 0)  # <- racy
    asc.wait_flag(MTE2_V, 0)
    asc.adds(z, x, 1.0, 256)
    asc.set_flag(V_MTE3, 1)
    asc.set_flag(V_MTE3, 0)  # <- clean
    asc.wait_flag(V_MTE3, 0)
    asc.data_copy(z_gm[256], x, 256)  # <- here
    asc.wait_flag(V_MTE3, 1)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def ordered_by_a_barrier_for_all_pipes(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    asc.adds(z, x, 1.0, 256)  # <- there
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)  # <- clean
    asc.data_copy(z_gm, z, 256)  # <- here


@pair("S301", lambda x, y, z: x + y)
@asc.jit
def one_flag_for_each_load(x_gm, y_gm, z_gm):
    x, y, z = tile(0), tile(1), tile(2)
    asc.data_copy(x, x_gm, 256)
    asc.set_flag(MTE2_V, 0)
    asc.data_copy(y, y_gm, 256)  # <- there
    asc.set_flag(MTE2_V, 1)  # <- clean
    asc.wait_flag(MTE2_V, 0)
    asc.wait_flag(MTE2_V, 1)  # <- clean
    asc.add(z, x, y, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x + y)
@asc.jit
def a_flag_set_before_the_last_load(x_gm, y_gm, z_gm):
    x, y, z = tile(0), tile(1), tile(2)
    asc.data_copy(x, x_gm, 256)
    asc.set_flag(MTE2_V, 0)  # <- racy
    asc.data_copy(y, y_gm, 256)  # <- there
    asc.set_flag(MTE2_V, 0)  # <- clean
    asc.wait_flag(MTE2_V, 0)
    asc.add(z, x, y, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def a_wait_behind_the_use(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)  # <- there
    asc.set_flag(MTE2_V, 0)
    asc.wait_flag(MTE2_V, 0)  # <- clean
    asc.adds(z, x, 1.0, 256)  # <- here
    asc.wait_flag(MTE2_V, 0)  # <- racy
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def a_flag_of_the_other_direction(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)  # <- there
    order(MTE2_V)  # <- clean
    order(V_MTE2)  # <- racy
    asc.adds(z, x, 1.0, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def a_flag_for_another_pipe(x_gm, y_gm, z_gm):
    """MTE3 waits for the load, and V computes."""
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)  # <- there
    order(MTE2_V)  # <- clean
    order(MTE2_MTE3)  # <- racy
    asc.adds(z, x, 1.0, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def a_barrier_for_another_pipe(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)  # <- there
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)  # <- clean
    asc.pipe_barrier(asc.PipeID.PIPE_MTE2)  # <- racy
    asc.adds(z, x, 1.0, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def the_next_round_of_a_loop(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    for i in range(4):
        asc.pipe_barrier(asc.PipeID.PIPE_MTE2)
        asc.data_copy(x, x_gm[64 * i], 64)  # <- here
        order(MTE2_V)
        asc.adds(z[64 * i], x, 1.0, 64)  # <- there
        order(V_MTE2)  # <- clean
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def the_next_round_of_a_loop_overwrites_what_is_stored(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    for i in range(4):
        asc.pipe_barrier(asc.PipeID.PIPE_V)
        asc.adds(z, x[64 * i], 1.0, 64)  # <- here
        order(V_MTE3)
        asc.data_copy(z_gm[64 * i], z, 64)  # <- there
        order(MTE3_V)  # <- clean


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def two_buffers_and_no_way_back(x_gm, y_gm, z_gm):
    """The flags of the buffers are up at the beginning; the load after next waits until V has read the buffer."""
    x, z = tile(0), tile(1)
    asc.set_flag(V_MTE2, 0)
    asc.set_flag(V_MTE2, 1)
    for i in range(4):
        buffer = i % 2
        asc.wait_flag(V_MTE2, buffer)  # <- clean
        asc.pipe_barrier(asc.PipeID.PIPE_MTE2)
        asc.data_copy(x[64 * buffer], x_gm[64 * i], 64)  # <- here
        asc.set_flag(MTE2_V, buffer)
        asc.wait_flag(MTE2_V, buffer)
        asc.adds(z[64 * i], x[64 * buffer], 1.0, 64)  # <- there
        asc.set_flag(V_MTE2, buffer)  # <- clean
    asc.wait_flag(V_MTE2, 0)
    asc.wait_flag(V_MTE2, 1)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def the_flag_of_the_other_buffer(x_gm, y_gm, z_gm):
    """Both buffers are loaded ahead; V waits for the wrong one."""
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 128)
    asc.set_flag(MTE2_V, 0)
    asc.data_copy(x[128], x_gm[128], 128)  # <- there
    asc.set_flag(MTE2_V, 1)
    asc.wait_flag(MTE2_V, 0)
    number = 0
    number = 128  # <- racy
    asc.adds(z[number], x[number], 1.0, 128)  # <- here
    asc.wait_flag(MTE2_V, 1)
    asc.adds(z[128 - number], x[128 - number], 1.0, 128)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def a_branch_without_a_flag(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    for i in range(2):
        asc.data_copy(x[128 * i], x_gm[128 * i], 128)  # <- there
        if i == 0:
            order(MTE2_V)
        else:
            order(MTE2_V)  # <- clean
        asc.adds(z[128 * i], x[128 * i], 1.0, 128)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x + 1)
@asc.jit
def a_loop_that_is_left_before_its_flag(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    i = 0
    while True:
        asc.data_copy(x[128 * i], x_gm[128 * i], 128)  # <- there
        if i == 1:
            break
        order(MTE2_V)
        i += 1
    order(MTE2_V)  # <- clean
    asc.adds(z, x, 1.0, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x[:20] + 1)
@asc.jit
def a_tail_of_less_than_a_block(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    copy, padding = asc.DataCopyExtParams(1, 80, 0, 0, 0), asc.DataCopyPadExtParams(asc.float32, False, 0, 0, 0)
    asc.data_copy_pad(x, x_gm, copy, padding)  # <- there
    order(MTE2_V)  # <- clean
    asc.adds(z, x, 1.0, 20)  # <- here
    order(V_MTE3)
    asc.data_copy_pad(z_gm, z, asc.DataCopyExtParams(1, 80, 0, 0, 0))


@asc.jit
def loaded(where, source):
    asc.data_copy(where, source, 256)  # <- there
    order(MTE2_V)  # <- clean
    return where


@pair("S301", lambda x, y, z: x + 1, lines_of=("loaded",))
@asc.jit
def in_a_function_that_is_called(x_gm, y_gm, z_gm):
    x, z = loaded(tile(0), x_gm), tile(1)
    asc.adds(z, x, 1.0, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)
