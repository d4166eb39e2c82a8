# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that only the measurements need. Examples 01 and 02 are measured too, as they stand."""

import asc


@asc.jit
def nothing_3(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress):
    """What a launch costs when there is nothing to simulate."""


@asc.jit
def nothing_19(
    a0: asc.GlobalAddress,
    a1: asc.GlobalAddress,
    a2: asc.GlobalAddress,
    a3: asc.GlobalAddress,
    a4: asc.GlobalAddress,
    a5: asc.GlobalAddress,
    a6: asc.GlobalAddress,
    a7: asc.GlobalAddress,
    a8: asc.GlobalAddress,
    a9: asc.GlobalAddress,
    a10: asc.GlobalAddress,
    a11: asc.GlobalAddress,
    a12: asc.GlobalAddress,
    a13: asc.GlobalAddress,
    a14: asc.GlobalAddress,
    a15: asc.GlobalAddress,
    a16: asc.GlobalAddress,
    a17: asc.GlobalAddress,
    a18: asc.GlobalAddress,
):
    """The same with many arguments."""


@asc.jit
def count(out: asc.GlobalAddress, n: int):
    """Scalar instructions only: a few for every turn of the loop, and a result that needs them all."""
    result = asc.GlobalTensor()
    result.set_global_buffer(out, 1)
    total = 0
    for i in range(n):
        if i % 3 == 1:
            total = (total + i) & 0xFFFFFF
    result.set_value(0, total)


@asc.jit
def vectors(out: asc.GlobalAddress, n: int):
    """Vector instructions of one repeat, each of which needs the one before."""
    out_gm = asc.GlobalTensor()
    out_gm.set_global_buffer(out, 64)
    total = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    one = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 256, 64)
    asc.duplicate(total, 0.0, 64)
    asc.duplicate(one, 1.0, 64)
    for _ in range(n):
        asc.add(total, total, one, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(out_gm, total, 64)


@asc.jit
def add_small_tiles(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """Example 01 with tiles of one repeat and without double buffering: nothing but overhead."""
    share = n // asc.get_block_num()
    start = share * asc.get_block_idx()
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + start, share)
    y_gm.set_global_buffer(y + start, share)
    z_gm.set_global_buffer(z + start, share)
    x_local = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 64)
    y_local = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 256, 64)
    z_local = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 512, 64)
    asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
    for i in range(share // 64):
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.data_copy(x_local, x_gm[i * 64], 64)
        asc.data_copy(y_local, y_gm[i * 64], 64)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.add(z_local, x_local, y_local, 64)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm[i * 64], z_local, 64)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
    asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


@asc.jit
def absolute(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """z = abs(x), a tile per core."""
    share = n // asc.get_block_num()
    start = share * asc.get_block_idx()
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + start, share)
    z_gm.set_global_buffer(z + start, share)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, share)
    z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 65536, share)
    asc.data_copy(x_local, x_gm, share)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.abs(z_local, x_local, share)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_local, share)


@asc.jit
def cast_narrow(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """z = x in a narrower type, rounded."""
    share = n // asc.get_block_num()
    start = share * asc.get_block_idx()
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + start, share)
    z_gm.set_global_buffer(z + start, share)
    for i in range(0, share, 8192):
        x_local, z_local = asc.LocalTensorAuto(x.dtype, 8192), asc.LocalTensorAuto(z.dtype, 8192)
        asc.data_copy(x_local, x_gm[i], 8192)
        asc.cast(z_local, x_local, asc.RoundMode.CAST_RINT, 8192)
        asc.data_copy(z_gm[i], z_local, 8192)


@asc.jit
def cast_widen(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """z = x in a wider type."""
    share = n // asc.get_block_num()
    start = share * asc.get_block_idx()
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + start, share)
    z_gm.set_global_buffer(z + start, share)
    for i in range(0, share, 8192):
        x_local, z_local = asc.LocalTensorAuto(x.dtype, 8192), asc.LocalTensorAuto(z.dtype, 8192)
        asc.data_copy(x_local, x_gm[i], 8192)
        asc.cast(z_local, x_local, asc.RoundMode.CAST_NONE, 8192)
        asc.data_copy(z_gm[i], z_local, 8192)


GATHER_TILE = 8192  # as TILE of example 01: two buffers for each of three arrays fill UB


@asc.jit
def gather_tiles(x: asc.GlobalAddress, offsets: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """z[i] = the element at byte offsets[i] of the tile of x that i is in; the buffers take turns as in example 01."""
    share = n // asc.get_block_num()
    start = share * asc.get_block_idx()
    x_gm, offsets_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + start, share)
    offsets_gm.set_global_buffer(offsets + start, share)
    z_gm.set_global_buffer(z + start, share)
    x_local = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 2 * GATHER_TILE)
    offsets_local = asc.LocalTensor(asc.uint32, asc.TPosition.VECIN, 8 * GATHER_TILE, 2 * GATHER_TILE)
    z_local = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 16 * GATHER_TILE, 2 * GATHER_TILE)
    for buffer in range(2):
        asc.set_flag(asc.HardEvent.V_MTE2, buffer)
        asc.set_flag(asc.HardEvent.MTE3_V, buffer)
    for i in range(share // GATHER_TILE):
        buffer = i % 2
        at = buffer * GATHER_TILE
        asc.wait_flag(asc.HardEvent.V_MTE2, buffer)
        asc.data_copy(x_local[at], x_gm[i * GATHER_TILE], GATHER_TILE)
        asc.data_copy(offsets_local[at], offsets_gm[i * GATHER_TILE], GATHER_TILE)
        asc.set_flag(asc.HardEvent.MTE2_V, buffer)
        asc.wait_flag(asc.HardEvent.MTE2_V, buffer)
        asc.wait_flag(asc.HardEvent.MTE3_V, buffer)
        asc.gather(z_local[at], x_local[at], offsets_local[at], 0, GATHER_TILE)
        asc.set_flag(asc.HardEvent.V_MTE2, buffer)
        asc.set_flag(asc.HardEvent.V_MTE3, buffer)
        asc.wait_flag(asc.HardEvent.V_MTE3, buffer)
        asc.data_copy(z_gm[i * GATHER_TILE], z_local[at], GATHER_TILE)
        asc.set_flag(asc.HardEvent.MTE3_V, buffer)
    for buffer in range(2):
        asc.wait_flag(asc.HardEvent.V_MTE2, buffer)
        asc.wait_flag(asc.HardEvent.MTE3_V, buffer)
