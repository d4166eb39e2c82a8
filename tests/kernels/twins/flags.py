# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Flags that are set twice, left set, never set, or waited for in the wrong order."""

import asc

from twins.pair import order, pair, tile

MTE2_V, V_MTE2, V_MTE3, MTE3_V = asc.HardEvent.MTE2_V, asc.HardEvent.V_MTE2, asc.HardEvent.V_MTE3, asc.HardEvent.MTE3_V
MTE2_S, S_V = asc.HardEvent.MTE2_S, asc.HardEvent.S_V


def add_one(x, y, z):
    return x + 1


@pair("S201", add_one, says=("MTE2_V", "3", "V"))
@asc.jit
def a_flag_that_nobody_sets(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.set_flag(MTE2_V, 3)  # <- clean
    asc.wait_flag(MTE2_V, 3)  # <- here
    asc.adds(z, x, 1.0, 256)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S201", add_one, says=("MTE2_V", "3", "id 2"))
@asc.jit
def a_flag_with_another_number(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.set_flag(MTE2_V, 3)  # <- clean
    asc.set_flag(MTE2_V, 2)  # <- racy, there
    asc.wait_flag(MTE2_V, 3)  # <- here
    asc.adds(z, x, 1.0, 256)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S201", add_one, says=("V_MTE2", "MTE2_V"))
@asc.jit
def two_pipes_that_wait_for_each_other(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.set_flag(V_MTE2, 0)  # <- clean
    asc.wait_flag(V_MTE2, 0)  # <- there
    asc.data_copy(x, x_gm, 256)
    asc.set_flag(MTE2_V, 0)  # <- there
    asc.wait_flag(MTE2_V, 0)  # <- here
    asc.adds(z, x, 1.0, 256)
    asc.set_flag(V_MTE2, 0)  # <- racy, there
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S201", add_one, says=("MTE2_S", "1"))
@asc.jit
def s_waits_for_ever(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.set_flag(MTE2_S, 1)  # <- clean
    asc.wait_flag(MTE2_S, 1)  # <- here
    asc.adds(z, x, 1.0, 256)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S201", add_one, says=("MTE2_V",))
@asc.jit
def a_barrier_behind_a_flag_that_comes_too_late(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.set_flag(MTE2_V, 0)  # <- clean
    asc.wait_flag(MTE2_V, 0)  # <- here
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)  # <- there
    asc.set_flag(MTE2_V, 0)  # <- racy, there
    asc.adds(z, x, 1.0, 256)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S201", add_one, says=("MTE2_V",))
@asc.jit
def one_set_for_two_waits(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    for i in range(2):
        asc.data_copy(x[128 * i], x_gm[128 * i], 128)
        if i == 0:
            asc.set_flag(MTE2_V, 0)  # <- there
        else:
            asc.set_flag(MTE2_V, 0)  # <- clean
        asc.wait_flag(MTE2_V, 0)  # <- here
        asc.adds(z[128 * i], x[128 * i], 1.0, 128)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S201", add_one, says=("V_MTE2",))
@asc.jit
def two_buffers_whose_flags_are_not_up_at_the_beginning(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.set_flag(V_MTE2, 0)  # <- clean
    asc.set_flag(V_MTE2, 1)  # <- clean
    for i in range(4):
        asc.wait_flag(V_MTE2, i % 2)  # <- there
        asc.data_copy(x[64 * (i % 2)], x_gm[64 * i], 64)
        asc.set_flag(MTE2_V, i % 2)  # <- there
        asc.wait_flag(MTE2_V, i % 2)  # <- here
        asc.adds(z[64 * i], x[64 * (i % 2)], 1.0, 64)
        asc.set_flag(V_MTE2, i % 2)  # <- there
    asc.wait_flag(V_MTE2, 0)
    asc.wait_flag(V_MTE2, 1)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S101", add_one, says=("MTE2_V", "1"))
@asc.jit
def a_flag_set_twice(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 128)
    asc.set_flag(MTE2_V, 1)  # <- racy, there
    asc.data_copy(x[128], x_gm[128], 128)
    asc.set_flag(MTE2_V, 1)  # <- here
    asc.wait_flag(MTE2_V, 1)
    asc.adds(z, x, 1.0, 256)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S101", add_one, more=("S201",))
@asc.jit
def both_flags_of_two_buffers_with_one_number(x_gm, y_gm, z_gm):
    """Two loads ahead need two flags."""
    x, z = tile(0), tile(1)
    second = 0
    second = 1  # <- clean
    asc.data_copy(x, x_gm, 128)
    asc.set_flag(MTE2_V, 0)  # <- there
    asc.data_copy(x[128], x_gm[128], 128)
    asc.set_flag(MTE2_V, second)  # <- here
    asc.wait_flag(MTE2_V, 0)
    asc.adds(z, x, 1.0, 128)
    asc.wait_flag(MTE2_V, second)
    asc.adds(z[128], x[128], 1.0, 128)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S101", add_one)
@asc.jit
def a_loop_that_waits_behind_its_last_round(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    for i in range(2):
        asc.data_copy(x[128 * i], x_gm[128 * i], 128)
        asc.set_flag(MTE2_V, 0)  # <- here, there
        asc.wait_flag(MTE2_V, 0)  # <- clean
    asc.wait_flag(MTE2_V, 0)  # <- racy
    asc.adds(z, x, 1.0, 256)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S104", add_one, says=("MTE3_V", "5"))
@asc.jit
def a_flag_left_set(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    asc.adds(z, x, 1.0, 256)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)
    asc.set_flag(MTE3_V, 5)  # <- here
    asc.wait_flag(MTE3_V, 5)  # <- clean


@pair("S104", add_one, says=("V_MTE2", "1"))
@asc.jit
def two_buffers_of_which_one_is_not_waited_for_at_the_end(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.set_flag(V_MTE2, 0)
    asc.set_flag(V_MTE2, 1)
    for i in range(4):
        asc.wait_flag(V_MTE2, i % 2)
        asc.data_copy(x[64 * (i % 2)], x_gm[64 * i], 64)
        asc.set_flag(MTE2_V, i % 2)
        asc.wait_flag(MTE2_V, i % 2)
        asc.adds(z[64 * i], x[64 * (i % 2)], 1.0, 64)
        asc.set_flag(V_MTE2, i % 2)  # <- here
    asc.wait_flag(V_MTE2, 0)
    asc.wait_flag(V_MTE2, 1)  # <- clean
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S104", add_one, says=("MTE2_V", "0"))
@asc.jit
def a_branch_that_does_not_wait(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.set_flag(MTE2_V, 0)  # <- here
    if asc.get_block_num() > 1:
        asc.wait_flag(MTE2_V, 0)
    else:
        asc.wait_flag(MTE2_V, 0)  # <- clean
    asc.adds(z, x, 1.0, 256)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", add_one, ahead=True)
@asc.jit
def a_wait_issued_before_its_set(x_gm, y_gm, z_gm):
    """V stands still until the load, which S dispatches later, has set the flag."""
    x, z = tile(0), tile(1)
    asc.duplicate(x, 0.0, 256)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.wait_flag(MTE2_V, 0)
    asc.adds(z, x, 1.0, 256)  # <- there
    asc.data_copy(x, x_gm, 128)
    asc.set_flag(MTE2_V, 0)  # <- racy
    asc.data_copy(x[128], x_gm[128], 128)  # <- here
    asc.set_flag(MTE2_V, 0)  # <- clean
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", add_one)
@asc.jit
def a_number_that_is_used_again(x_gm, y_gm, z_gm):
    """MTE2 may set a flag again as soon as V has been told to wait for it: no other order is needed."""
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 128)
    asc.set_flag(MTE2_V, 0)
    asc.wait_flag(MTE2_V, 0)
    asc.adds(z, x, 1.0, 128)
    asc.data_copy(x[128], x_gm[128], 128)  # <- there
    asc.set_flag(MTE2_V, 0)  # <- clean
    asc.wait_flag(MTE2_V, 0)  # <- clean
    asc.adds(z[128], x[128], 1.0, 128)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)
