# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomic stores: those that combine in the same way need no order among each other, and with all else they do."""

import asc
import numpy as np

from twins.pair import order, pair, tile

MTE2_MTE3, MTE3_MTE2, PIPE_MTE3 = asc.HardEvent.MTE2_MTE3, asc.HardEvent.MTE3_MTE2, asc.PipeID.PIPE_MTE3


@pair("S302", lambda x, y, z: 2 * x, says=("by atomic add of float32",))
@asc.jit
def a_sum_on_what_was_just_stored(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)  # <- there
    asc.pipe_barrier(PIPE_MTE3)  # <- clean
    asc.set_atomic_add(asc.float32)
    asc.data_copy(z_gm, x, 256)  # <- here
    asc.set_atomic_none()


@pair("S302", lambda x, y, z: y)
@asc.jit
def a_store_over_a_sum(x_gm, y_gm, z_gm):
    x, y = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.data_copy(y, y_gm, 256)
    order(MTE2_MTE3)
    asc.set_atomic_add(asc.float32)
    asc.data_copy(z_gm, x, 256)  # <- there
    asc.pipe_barrier(PIPE_MTE3)  # <- clean
    asc.set_atomic_none()
    asc.data_copy(z_gm, y, 256)  # <- here


@pair("S302", lambda x, y, z: np.maximum(z[:256] + x, y), says=("by atomic max of float32", "by atomic add of float32"))
@asc.jit
def a_maximum_beside_a_sum(x_gm, y_gm, z_gm):
    x, y = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.data_copy(y, y_gm, 256)
    order(MTE2_MTE3)
    asc.set_atomic_add(asc.float32)
    asc.data_copy(z_gm, x, 256)  # <- there
    asc.pipe_barrier(PIPE_MTE3)  # <- clean
    asc.set_atomic_max(asc.float32)
    asc.data_copy(z_gm, y, 256)  # <- here
    asc.set_atomic_none()


@pair("S301", lambda x, y, z: np.tile(z[:256] + x + y, 2))
@asc.jit
def a_sum_that_is_loaded(x_gm, y_gm, z_gm):
    """The two sums come in any order."""
    x, y, sums = tile(0), tile(1), tile(2)
    asc.data_copy(x, x_gm, 256)
    asc.data_copy(y, y_gm, 256)
    order(MTE2_MTE3)
    asc.set_atomic_add(asc.float32)
    asc.data_copy(z_gm, x, 256)
    order(MTE3_MTE2)
    asc.data_copy(z_gm, y, 256)  # <- there
    order(MTE3_MTE2, 1)  # <- clean
    asc.set_atomic_none()
    asc.data_copy(sums, z_gm, 256)  # <- here
    order(MTE2_MTE3, 1)
    asc.data_copy(z_gm[256], sums, 256)


@pair("S303", lambda x, y, z: z[:256] + 2 * x, blocks=2)
@asc.jit
def a_block_that_does_not_add(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_MTE3)
    asc.set_atomic_add(asc.float32)
    if asc.get_block_idx() == 0:
        asc.set_atomic_none()  # <- racy
        asc.data_copy(z_gm, x, 256)  # <- here
    else:
        asc.data_copy(z_gm, x, 256)  # <- there
    asc.set_atomic_none()


@pair("S303", lambda x, y, z: np.concatenate([z[:256] + 2 * x, z[:256] + 2 * x]), blocks=2)
@asc.jit
def a_block_that_does_not_wait_for_all_sums(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_MTE3)
    asc.set_atomic_add(asc.float32)
    asc.data_copy(z_gm, x, 256)  # <- here
    asc.set_atomic_none()
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.sync_all()  # <- clean
    if asc.get_block_idx() == 1:
        asc.data_copy(x, z_gm, 256)  # <- there
        order(MTE2_MTE3, 1)
        asc.data_copy(z_gm[256], x, 256)
    asc.sync_all()  # <- racy
