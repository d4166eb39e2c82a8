# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Global memory: what a core loads after it has stored it, and blocks of one launch that nothing orders."""

import asc
import numpy as np

from twins.pair import order, pair, tile

MTE2_V, V_MTE3, MTE2_MTE3, MTE3_MTE2 = asc.HardEvent.MTE2_V, asc.HardEvent.V_MTE3, asc.HardEvent.MTE2_MTE3, asc.HardEvent.MTE3_MTE2
CACHE = "the simulator's data cache is coherent"


# ---------------------------------------------------------------- within a core


@pair("S301", lambda x, y, z: np.tile(x + 1, 2))
@asc.jit
def mte2_loads_what_mte3_stored(x_gm, y_gm, z_gm):
    x, w = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    asc.adds(x, x, 1.0, 256)
    order(V_MTE3)
    asc.data_copy(z_gm, x, 256)  # <- there
    order(MTE3_MTE2)  # <- clean
    asc.data_copy(w, z_gm, 256)  # <- here
    order(MTE2_MTE3)
    asc.data_copy(z_gm[256], w, 256)


@pair("S301", lambda x, y, z: np.concatenate([y, z[:256]]))
@asc.jit
def mte3_overwrites_what_mte2_loads(x_gm, y_gm, z_gm):
    x, y = tile(0), tile(1)
    asc.data_copy(y, y_gm, 256)
    order(MTE2_MTE3)
    asc.data_copy(x, z_gm, 256)  # <- there
    order(MTE2_MTE3, 1)  # <- clean
    asc.data_copy(z_gm, y, 256)  # <- here
    order(MTE2_MTE3, 2)
    asc.data_copy(z_gm[256], x, 256)


@pair("S301", lambda x, y, z: np.tile(x[:64], 4))
@asc.jit
def each_round_loads_what_the_one_before_stored(x_gm, y_gm, z_gm):
    """z[i + 1] = z[i], by tiles."""
    x = tile(0)
    asc.data_copy(x, x_gm, 64)
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 64)
    order(MTE3_MTE2)
    for i in range(3):
        asc.data_copy(x[64 * (i + 1)], z_gm[64 * i], 64)  # <- here
        order(MTE2_MTE3)
        asc.data_copy(z_gm[64 * (i + 1)], x[64 * (i + 1)], 64)  # <- there
        order(MTE3_MTE2)  # <- clean


@pair("S301", lambda x, y, z: np.concatenate([x + 1, x[128:] + 1]))
@asc.jit
def a_load_that_begins_inside_what_was_stored(x_gm, y_gm, z_gm):
    x, w = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    asc.adds(x, x, 1.0, 256)
    order(V_MTE3)
    asc.data_copy(z_gm, x, 256)  # <- there
    order(MTE3_MTE2)  # <- clean
    asc.data_copy(w, z_gm[128], 128)  # <- here
    order(MTE2_MTE3)
    asc.data_copy(z_gm[256], w, 128)


@pair("S301", lambda x, y, z: np.concatenate([x, z[256:]]))
@asc.jit
def a_load_of_what_is_not_stored(x_gm, y_gm, z_gm):
    """No order is needed where the bytes differ."""
    x, w = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_MTE3)
    start = 256
    start = 255  # <- racy
    asc.data_copy(z_gm, x, 256)  # <- there
    copy, padding = asc.DataCopyExtParams(1, 1024, 0, 0, 0), asc.DataCopyPadExtParams(asc.float32, False, 0, 0, 0)
    asc.data_copy_pad(w, z_gm[start], copy, padding)  # <- here
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(z_gm[256], w, 256)


# ---------------------------------------------------------------- between blocks


@pair("S303", lambda x, y, z: np.concatenate([x, x + 1]), blocks=2)
@asc.jit
def two_blocks_store_the_same_bytes(x_gm, y_gm, z_gm):
    x, me = tile(0), asc.get_block_idx()
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    asc.adds(x, x, me.cast(asc.float32), 256)
    order(V_MTE3)
    part = me * 256  # <- clean
    part = 0 * me  # <- racy
    asc.data_copy(z_gm[part], x, 256)  # <- here, there


@pair("S303", lambda x, y, z: z, blocks=2)
@asc.jit
def a_block_loads_what_another_one_stores(x_gm, y_gm, z_gm):
    x, me = tile(0), asc.get_block_idx()
    part = me * 256  # <- clean
    part = (1 - me) * 256  # <- racy
    asc.data_copy(x, z_gm[part], 256)  # <- there
    order(MTE2_MTE3)
    asc.data_copy(z_gm[me * 256], x, 256)  # <- here


@pair("S303", lambda x, y, z: np.repeat(np.arange(3), 128), blocks=3)
@asc.jit
def parts_of_blocks_that_overlap(x_gm, y_gm, z_gm):
    x, me = tile(0), asc.get_block_idx()
    asc.duplicate(x, me.cast(asc.float32), 256)
    order(V_MTE3)
    count = 128
    count = 136  # <- racy
    asc.data_copy(z_gm[me * 128], x, count)  # <- here, there


@pair("S303", lambda x, y, z: np.repeat(np.arange(4), 100), blocks=4)
@asc.jit
def tails_of_blocks_that_are_rounded_up(x_gm, y_gm, z_gm):
    """A part is no multiple of 32 bytes: data_copy would store into the part of the next block."""
    x, me = tile(0), asc.get_block_idx()
    asc.duplicate(x, me.cast(asc.float32), 256)
    order(V_MTE3)
    asc.data_copy_pad(z_gm[me * 100], x, asc.DataCopyExtParams(1, 400, 0, 0, 0))  # <- clean
    asc.data_copy(z_gm[me * 100], x, 104)  # <- racy, here, there


@pair("S303", lambda x, y, z: np.tile(np.repeat([0, 1], 8), 16), blocks=2)
@asc.jit
def interleaved_blocks_of_32_bytes(x_gm, y_gm, z_gm):
    x, me = tile(0), asc.get_block_idx()
    asc.duplicate(x, me.cast(asc.float32), 256)
    order(V_MTE3)
    gap = 1
    gap = 0  # <- racy
    asc.data_copy(z_gm[me * 8], x, asc.DataCopyParams(16, 1, 0, gap))  # <- here, there


@pair("S303", lambda x, y, z: np.concatenate([z[:128] + z[128:256], z[128:]]), blocks=2)
@asc.jit
def a_block_loads_a_neighbour_s_part_too(x_gm, y_gm, z_gm):
    """Block 1 stores back what it has loaded; block 0 adds up both parts, from the array or from what block 1 overwrites."""
    x, me = tile(0), asc.get_block_idx()
    asc.data_copy(x, z_gm[me * 256], 128)
    asc.data_copy(x[128], z_gm[me * 256 + 128], 128)  # <- there
    order(MTE2_V)
    if me == 0:
        asc.add(x, x, x[128], 128)
        order(V_MTE3)
        asc.data_copy(z_gm, x, 128)
    else:
        asc.muls(x, x, 1.0, 128)
        order(V_MTE3)
        asc.data_copy(z_gm[256], x, 128)  # <- clean
        asc.data_copy(z_gm[128], x, 128)  # <- racy, here


@pair("S303", lambda x, y, z: np.concatenate([[0, 1], z[2:]]), blocks=2)
@asc.jit
def two_blocks_store_one_element(x_gm, y_gm, z_gm):
    x, me = tile(0), asc.get_block_idx()
    asc.duplicate(x, me.cast(asc.float32), 8)
    order(V_MTE3)
    at = me
    at = 0 * me  # <- racy
    asc.data_copy_pad(z_gm[at], x, asc.DataCopyExtParams(1, 4, 0, 0, 0))  # <- here, there


@pair("S304", lambda x, y, z: np.where(np.isin(np.arange(512), [0, 16]), 2, z), blocks=2, unseen=CACHE)
@asc.jit
def two_blocks_store_elements_of_one_cache_line(x_gm, y_gm, z_gm):
    at = 16 * asc.get_block_idx()
    at = asc.get_block_idx()  # <- racy
    z_gm.set_value(at, 2.0)  # <- here, there


@pair("S304", lambda x, y, z: np.concatenate([np.zeros(16), [2], z[17:]]), blocks=2, unseen=CACHE)
@asc.jit
def a_cache_line_over_what_mte3_stores(x_gm, y_gm, z_gm):
    x = tile(0)
    at = 16
    at = 8  # <- racy
    if asc.get_block_idx() == 0:
        asc.duplicate(x, 0.0, 16)
        order(V_MTE3)
        asc.data_copy(z_gm, x, 8)  # <- here
        asc.data_copy(z_gm[8], x, 8)  # <- clean
    else:
        z_gm.set_value(at, 2.0)  # <- there
