# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cores that wait for each other: sync_all, cross-core flags, words in global memory."""

import asc
import numpy as np

from twins.pair import order, pair, tile

MTE2_V, V_MTE3, MTE2_MTE3, MTE3_MTE2 = asc.HardEvent.MTE2_V, asc.HardEvent.V_MTE3, asc.HardEvent.MTE2_MTE3, asc.HardEvent.MTE3_MTE2
MTE3_V, S_MTE3 = asc.HardEvent.MTE3_V, asc.HardEvent.S_MTE3
PIPE_MTE2, PIPE_MTE3, PIPE_ALL = asc.PipeID.PIPE_MTE2, asc.PipeID.PIPE_MTE3, asc.PipeID.PIPE_ALL
HALF = 128  # elements of a part: four of them are z_gm


def exchanged(x, y, z):
    """What two blocks leave: each has stored its number + 1 in the first half, and the other's in the second."""
    return np.repeat([1, 2, 2, 1], HALF)


@asc.jit
def give(z_gm):
    """Stores the number of the block + 1 in its part."""
    x, me = tile(0), asc.get_block_idx()
    asc.duplicate(x, me.cast(asc.float32) + 1.0, HALF)
    order(V_MTE3)
    asc.data_copy(z_gm[me * HALF], x, HALF)  # <- here


@asc.jit
def take(z_gm):
    """Copies the part of the other block."""
    x, me = tile(1), asc.get_block_idx()
    asc.data_copy(x, z_gm[(1 - me) * HALF], HALF)  # <- there
    order(MTE2_MTE3)
    asc.data_copy(z_gm[(2 + me) * HALF], x, HALF)


def exchange(code="S303", result=exchanged, lines_of=("give", "take"), **facts):
    """A pair with `give` and `take`, whose lines are found when they race."""
    return pair(code, result, blocks=2, lines_of=lines_of if code == "S303" else (), **facts)


# ---------------------------------------------------------------- all blocks


@exchange()
@asc.jit
def blocks_that_do_not_meet(x_gm, y_gm, z_gm):
    give(z_gm)
    asc.sync_all()  # <- clean
    take(z_gm)
    asc.sync_all()  # so that cores wait for each other in both kernels


@exchange()
@asc.jit
def blocks_that_meet_too_early(x_gm, y_gm, z_gm):
    asc.sync_all()  # <- racy
    give(z_gm)
    asc.sync_all()  # <- clean
    take(z_gm)


@exchange()
@asc.jit
def blocks_that_meet_too_late(x_gm, y_gm, z_gm):
    give(z_gm)
    asc.sync_all()  # <- clean
    take(z_gm)
    asc.sync_all()  # <- racy


@exchange(words=True)
@asc.jit
def blocks_that_do_not_meet_by_words(x_gm, words, z_gm):
    give(z_gm)
    asc.sync_all(words, tile(4, asc.int32))  # <- clean
    take(z_gm)
    asc.sync_all(words, tile(4, asc.int32))


@exchange(result=lambda x, y, z: np.repeat([3, 4, 2, 1], HALF), lines_of=("take",))
@asc.jit
def blocks_that_do_not_meet_again(x_gm, y_gm, z_gm):
    """A block may overwrite its part when the other one has taken it."""
    x, me = tile(2), asc.get_block_idx()
    asc.duplicate(x, me.cast(asc.float32) + 3.0, HALF)
    give(z_gm)
    asc.sync_all()
    take(z_gm)
    asc.sync_all()  # <- clean
    order(V_MTE3)
    asc.data_copy(z_gm[me * HALF], x, HALF)  # <- here


@exchange()
@asc.jit
def cross_core_flags_that_nobody_waits_for_in_time(x_gm, y_gm, z_gm):
    give(z_gm)
    asc.cross_core_set_flag(0, 0, PIPE_MTE3)
    asc.cross_core_wait_flag(0, 0, PIPE_MTE3)  # <- clean
    take(z_gm)
    asc.cross_core_wait_flag(0, 0, PIPE_MTE3)  # <- racy


@exchange()
@asc.jit
def a_cross_core_flag_set_before_the_store(x_gm, y_gm, z_gm):
    asc.cross_core_set_flag(0, 0, PIPE_MTE3)  # <- racy
    give(z_gm)
    asc.cross_core_set_flag(0, 0, PIPE_MTE3)  # <- clean
    asc.cross_core_wait_flag(0, 0, PIPE_MTE3)
    take(z_gm)


@exchange()
@asc.jit
def a_cross_core_flag_of_another_pipe(x_gm, y_gm, z_gm):
    """MTE2 has nothing to complete: its flag says nothing about the store."""
    give(z_gm)
    asc.cross_core_set_flag(0, 0, PIPE_MTE3)  # <- clean
    asc.cross_core_set_flag(0, 0, PIPE_MTE2)  # <- racy
    asc.cross_core_wait_flag(0, 0, PIPE_MTE3)
    take(z_gm)


# ---------------------------------------------------------------- one block for another


@asc.jit
def first(z_gm):
    x = tile(0)
    asc.duplicate(x, 7.0, HALF)
    order(V_MTE3)
    asc.data_copy(z_gm, x, HALF)  # <- here


@asc.jit
def second(z_gm):
    x = tile(0)
    asc.data_copy(x, z_gm, HALF)  # <- there
    order(MTE2_MTE3)
    asc.data_copy(z_gm[HALF], x, HALF)


def seven(x, y, z):
    return np.full(2 * HALF, 7)


@pair("S303", seven, blocks=2, words=True, lines_of=("first", "second"))
@asc.jit
def a_block_that_does_not_wait_for_another(x_gm, words, z_gm):
    scratch = tile(4, asc.int32)
    if asc.get_block_idx() == 0:
        first(z_gm)
        asc.ib_set(words, scratch, 0, 0)
    else:
        asc.ib_wait(words, scratch, 0, 0)  # <- clean
        second(z_gm)
        asc.ib_wait(words, scratch, 0, 0)  # <- racy


@pair("S303", seven, blocks=2, words=True, lines_of=("first", "second"))
@asc.jit
def a_block_that_lets_another_go_too_early(x_gm, words, z_gm):
    scratch = tile(4, asc.int32)
    if asc.get_block_idx() == 0:
        asc.ib_set(words, scratch, 0, 0)  # <- racy
        first(z_gm)
        asc.ib_set(words, scratch, 0, 0)  # <- clean
    else:
        asc.ib_wait(words, scratch, 0, 0)
        second(z_gm)


@pair("S303", seven, blocks=2, words=True, lines_of=("first", "second"))
@asc.jit
def blocks_in_no_order(x_gm, words, z_gm):
    scratch = tile(4, asc.int32)
    scratch.set_value(8 * 2, 1)  # the number of the round
    asc.sync_all()
    asc.wait_pre_block(words, scratch)  # <- clean
    if asc.get_block_idx() == 0:
        first(z_gm)
    else:
        second(z_gm)
    asc.wait_pre_block(words, scratch)  # <- racy
    asc.notify_next_block(words, scratch)


# ---------------------------------------------------------------- the cores of an AI Core


@pair("S303", lambda x, y, z: np.concatenate([np.full(HALF, 7), [8]]), lines_of=("first",))
@asc.jit
def a_cube_core_that_does_not_wait_for_a_vector_core(x_gm, y_gm, z_gm):
    if asc.ascend_is_aiv():
        if asc.get_sub_block_idx() == 0:
            first(z_gm)
        asc.cross_core_set_flag(4, 2, PIPE_MTE3)
    else:
        asc.cross_core_wait_flag(4, 2, PIPE_MTE3)  # <- clean
        z_gm.set_value(HALF, z_gm.get_value(0) + 1.0)  # <- there
        asc.cross_core_wait_flag(4, 2, PIPE_MTE3)  # <- racy


@pair("S303", lambda x, y, z: np.repeat([1, 2, 2, 1], HALF), lines_of=("give", "take"))
@asc.jit
def vector_cores_of_an_ai_core_that_do_not_meet(x_gm, y_gm, z_gm):
    if asc.ascend_is_aiv():
        give(z_gm)
        asc.cross_core_set_flag(3, 1, PIPE_MTE3)
        asc.cross_core_wait_flag(3, 1, PIPE_MTE3)  # <- clean
        take(z_gm)
        asc.cross_core_wait_flag(3, 1, PIPE_MTE3)  # <- racy


# ---------------------------------------------------------------- flags themselves


@exchange("S106")
@asc.jit
def a_cross_core_flag_left_set(x_gm, y_gm, z_gm):
    give(z_gm)
    asc.sync_all()
    take(z_gm)
    asc.cross_core_set_flag(2, 0, PIPE_MTE3)  # <- here
    asc.cross_core_wait_flag(2, 0, PIPE_MTE3)  # <- clean


@exchange("S107")
@asc.jit
def a_cross_core_flag_set_too_often(x_gm, y_gm, z_gm):
    give(z_gm)
    asc.sync_all()
    take(z_gm)
    for _ in range(16):
        asc.cross_core_set_flag(2, 0, PIPE_MTE3)  # <- here
        asc.cross_core_wait_flag(2, 0, PIPE_MTE3)  # <- clean


@exchange("S202", lambda x, y, z: np.repeat([1, 2], HALF))
@asc.jit
def a_block_that_does_not_come_to_the_meeting(x_gm, y_gm, z_gm):
    give(z_gm)
    if asc.get_block_idx() == 0:
        asc.sync_all()  # <- here
    else:
        asc.sync_all()  # <- clean


@exchange("S202")
@asc.jit
def a_cross_core_wait_for_another_number(x_gm, y_gm, z_gm):
    number = 1
    number = 2  # <- racy
    give(z_gm)
    asc.cross_core_set_flag(1, 0, PIPE_MTE3)
    asc.cross_core_wait_flag(number, 0, PIPE_MTE3)  # <- here, there
    take(z_gm)


@pair("S202", seven, blocks=2, words=True)
@asc.jit
def a_block_that_nobody_lets_go(x_gm, words, z_gm):
    scratch = tile(4, asc.int32)
    if asc.get_block_idx() == 0:
        first(z_gm)
        asc.ib_set(words, scratch, 0, 0)  # <- clean
    else:
        asc.ib_wait(words, scratch, 0, 0)  # <- here
        second(z_gm)
