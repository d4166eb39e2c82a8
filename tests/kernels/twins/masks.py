# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accesses that keep apart by a count, a mask, a stride or an address: the clean twin needs no order, the other one lacks it."""

import asc
import numpy as np

from twins.pair import order, pair, tile

MTE2_V, V_MTE2, V_MTE3, MTE3_V = asc.HardEvent.MTE2_V, asc.HardEvent.V_MTE2, asc.HardEvent.V_MTE3, asc.HardEvent.MTE3_V
V_S, S_V = asc.HardEvent.V_S, asc.HardEvent.S_V
PIPE_ALL = asc.PipeID.PIPE_ALL


@asc.jit
def loaded(number, source):
    """A tile with 256 elements of global memory, and every pipe knows it."""
    x = tile(number)
    asc.data_copy(x, source, 256)
    asc.pipe_barrier(PIPE_ALL)
    return x


@asc.jit
def filled(number, value: asc.ConstExpr = 0.0):
    x = tile(number)
    asc.duplicate(x, value, 256)
    asc.pipe_barrier(PIPE_ALL)
    return x


@pair("S301", lambda x, y, z: np.concatenate([x[:128] + 1, [0]]))
@asc.jit
def by_count(x_gm, y_gm, z_gm):
    x, z = loaded(0, x_gm), filled(1)
    n = 128
    n = 129  # <- racy
    asc.adds(z, x, 1.0, n)  # <- there
    asc.data_copy(x[128], y_gm, 128)  # <- here
    order(V_MTE3)
    asc.data_copy_pad(z_gm, z, asc.DataCopyExtParams(1, 4 * 129, 0, 0, 0))


@pair("S301", lambda x, y, z: np.concatenate([x[:8] * 0, x[8:64] + 1, x[64:] * 0]))
@asc.jit
def by_mask(x_gm, y_gm, z_gm):
    x, z = loaded(0, x_gm), filled(1)
    low = 0xFFFFFFFFFFFFFF00
    low = 0xFFFFFFFFFFFFFFFF  # <- racy
    asc.adds(z, x, 1.0, [low, 0], 1, asc.UnaryRepeatParams(1, 1, 8, 8))  # <- there
    asc.data_copy(x, y_gm, 8)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: np.concatenate([x[:1] + 1, x[1:2] * 0, x[2:8] + 1, x[8:] * 0]), by_compiler=True)
@asc.jit
def by_one_lane_of_a_mask(x_gm, y_gm, z_gm):
    x, z = loaded(0, x_gm), filled(1)
    lane = 1
    lane = 2  # <- racy
    asc.adds(z, x, 1.0, [0x00FD, 0], 1, asc.UnaryRepeatParams(1, 1, 8, 8))  # <- there
    x.set_value(lane, 555.0)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


def even_lanes(x):
    lanes = np.arange(256)
    return np.where(lanes == 1, 5, np.where(lanes < 64, x * (lanes % 2 == 0), 0))


@pair("S301", lambda x, y, z: even_lanes(x), by_compiler=True)
@asc.jit
def every_second_lane_is_written(x_gm, y_gm, z_gm):
    x, z = loaded(0, x_gm), filled(1)
    lanes = 0x5555555555555555
    lanes = 0x5555555555555557  # <- racy
    asc.muls(z, x, 1.0, [lanes, 0], 1, asc.UnaryRepeatParams(1, 1, 8, 8))  # <- there
    z.set_value(1, 5.0)  # <- here
    order(asc.HardEvent.S_MTE3)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: np.concatenate([x[:40] + 1, x[40:] * 0]))
@asc.jit
def by_the_first_lanes(x_gm, y_gm, z_gm):
    x, z = loaded(0, x_gm), filled(1)
    lanes = 40
    lanes = 41  # <- racy
    asc.adds(z, x, 1.0, lanes, 1, asc.UnaryRepeatParams(1, 1, 8, 8))  # <- there
    asc.data_copy(x[40], y_gm, 24)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: np.concatenate([x[:32] + 1, x[32:] * 0]))
@asc.jit
def by_the_mask_register(x_gm, y_gm, z_gm):
    x, z = loaded(0, x_gm), filled(1)
    asc.set_vector_mask(0, 0xFFFFFFFF, dtype=asc.float32, mode=asc.MaskMode.NORMAL)
    asc.set_vector_mask(0, 0x1FFFFFFFF, dtype=asc.float32, mode=asc.MaskMode.NORMAL)  # <- racy
    asc.adds(z, x, 1.0, 1, 1, asc.UnaryRepeatParams(1, 1, 8, 8), is_set_mask=False)  # <- there
    asc.data_copy(x[32], y_gm, 32)  # <- here
    asc.reset_mask()
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: np.concatenate([x[:128].reshape(8, 16)[:, :8].ravel() + 1, x[64:] * 0]))
@asc.jit
def by_block_stride(x_gm, y_gm, z_gm):
    x, z = loaded(0, x_gm), filled(1)
    at = 8
    at = 0  # <- racy
    asc.adds(z, x, 1.0, 64, 1, asc.UnaryRepeatParams(1, 2, 8, 8))  # <- there
    asc.data_copy(x[at], y_gm, asc.DataCopyParams(8, 1, 0, 1))  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: np.concatenate([x[:64] + 1, x[128:192] + 1, x[128:] * 0]))
@asc.jit
def by_repeat_stride(x_gm, y_gm, z_gm):
    x, z = loaded(0, x_gm), filled(1)
    at = 64
    at = 120  # <- racy
    asc.adds(z, x, 1.0, 64, 2, asc.UnaryRepeatParams(1, 1, 8, 16))  # <- there
    asc.data_copy(x[at], y_gm, 64)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: np.concatenate([x[:128] + 1, np.zeros(128)]))
@asc.jit
def by_number_of_repeats(x_gm, y_gm, z_gm):
    x, z = loaded(0, x_gm), filled(1)
    repeats = 2
    repeats = 3  # <- racy
    asc.adds(z, x, 1.0, 64, repeats, asc.UnaryRepeatParams(1, 1, 8, 8))  # <- there
    asc.data_copy(x[128], y_gm, 128)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


def spread(x):
    return np.concatenate([x.reshape(-1, 8), np.zeros((len(x) // 8, 8))], axis=1).ravel()


@pair("S301", lambda x, y, z: np.concatenate([spread(x[:64] + 1), np.zeros(128 + 64)]))
@asc.jit
def by_the_stride_of_the_destination(x_gm, y_gm, z_gm):
    """V writes a block of 8 in 16; MTE3 stores those in between."""
    x, z = loaded(0, x_gm), filled(1)
    stride = 2
    stride = 1  # <- racy
    asc.adds(z, x, 1.0, 64, 1, asc.UnaryRepeatParams(stride, 1, 8, 8))  # <- there
    asc.data_copy(z_gm[256], z[8], asc.DataCopyParams(8, 1, 1, 0))  # <- here
    asc.pipe_barrier(PIPE_ALL)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x + y)
@asc.jit
def by_address_and_element_type(x_gm, y_gm, z_gm):
    x, y, z = loaded(0, x_gm), loaded(1, y_gm), tile(2)
    number = 4
    number = 0  # <- racy
    other = tile(number, asc.int16)
    asc.add(z, x, y, 256)  # <- there
    asc.data_copy(other.reinterpret_cast(asc.float32), y_gm, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x[:200] + 1)
@asc.jit
def by_the_part_of_a_tensor(x_gm, y_gm, z_gm):
    x, z = loaded(0, x_gm), tile(1)
    at = 200
    at = 192  # <- racy
    asc.adds(z, x, 1.0, 200)  # <- there
    asc.data_copy(x[at], y_gm, 56)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 200)


@pair("S301", lambda x, y, z: np.concatenate([x[:20], np.zeros(4), y[:200], np.zeros(32)]))
@asc.jit
def padding_up_to_a_whole_block(x_gm, y_gm, z_gm):
    """A load of 20 elements fills 24: the bytes behind the tail are its own, too."""
    x = filled(0)
    start = 24
    start = 16  # <- racy
    copy, padding = asc.DataCopyExtParams(1, 80, 0, 0, 0), asc.DataCopyPadExtParams(asc.float32, True, 0, 4, 0)
    asc.data_copy_pad(x, x_gm, copy, padding)  # <- there
    asc.duplicate(x[start], 3.0, 8)  # <- here
    asc.pipe_barrier(PIPE_ALL)
    asc.data_copy(x[24], y_gm, 200)
    asc.pipe_barrier(PIPE_ALL)
    asc.data_copy(z_gm, x, 256)


@pair("S301", lambda x, y, z: x[:20] + 1)
@asc.jit
def stored_bytes_of_a_block(x_gm, y_gm, z_gm):
    """A store of 20 elements reads 80 bytes, and no more of the block that they end in."""
    x, z = loaded(0, x_gm), filled(1)
    asc.adds(z, x, 1.0, 20)
    order(V_MTE3)
    bytes = 80
    bytes = 84  # <- racy
    asc.data_copy_pad(z_gm, z, asc.DataCopyExtParams(1, bytes, 0, 0, 0))  # <- there
    asc.duplicate(z, 3.0, [0x100000, 0], 1, 1, 8)  # <- here


@pair("S301", lambda x, y, z: x[:250] + 1, by_compiler=True)
@asc.jit
def the_elements_of_one_block(x_gm, y_gm, z_gm):
    """S writes the element behind the last one that V reads."""
    x, z = loaded(0, x_gm), tile(1)
    last = 251
    last = 249  # <- racy
    asc.adds(z, x, 1.0, 250)  # <- there
    x.set_value(last, 777.0)  # <- here
    order(V_MTE3)
    asc.data_copy_pad(z_gm, z, asc.DataCopyExtParams(1, 1000, 0, 0, 0))
