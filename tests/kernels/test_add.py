# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# z = x + y with two buffers per array, any size, any number of cores: results, bytes moved, times that do not depend on the host.
import asc
import numpy as np
import pytest

TILE = 1024
BLOCK = 8  # elements of 32 bytes


@asc.jit
def add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """Tiles go round the blocks; the last tile may be short, in whole blocks of 32 bytes."""
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    z_gm.set_global_buffer(z, n)
    x_local = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 2 * TILE)
    y_local = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 8 * TILE, 2 * TILE)
    z_local = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 16 * TILE, 2 * TILE)
    for buffer in range(2):
        asc.set_flag(asc.HardEvent.V_MTE2, buffer)
        asc.set_flag(asc.HardEvent.MTE3_V, buffer)
    buffer = 0
    for start in range(asc.get_block_idx() * TILE, n, asc.get_block_num() * TILE):
        length = TILE
        if n - start < TILE:
            length = n - start
        x_tile, y_tile, z_tile = x_local[buffer * TILE], y_local[buffer * TILE], z_local[buffer * TILE]
        asc.wait_flag(asc.HardEvent.V_MTE2, buffer)
        asc.data_copy(x_tile, x_gm[start], length)
        asc.data_copy(y_tile, y_gm[start], length)
        asc.set_flag(asc.HardEvent.MTE2_V, buffer)
        asc.wait_flag(asc.HardEvent.MTE2_V, buffer)
        asc.wait_flag(asc.HardEvent.MTE3_V, buffer)
        asc.add(z_tile, x_tile, y_tile, length)
        asc.set_flag(asc.HardEvent.V_MTE2, buffer)
        asc.set_flag(asc.HardEvent.V_MTE3, buffer)
        asc.wait_flag(asc.HardEvent.V_MTE3, buffer)
        asc.data_copy(z_gm[start], z_tile, length)
        asc.set_flag(asc.HardEvent.MTE3_V, buffer)
        buffer = 1 - buffer
    for buffer in range(2):
        asc.wait_flag(asc.HardEvent.V_MTE2, buffer)
        asc.wait_flag(asc.HardEvent.MTE3_V, buffer)


def arrays(n: int):
    rng = np.random.default_rng(n)
    return rng.standard_normal(n, np.float32), rng.standard_normal(n, np.float32), np.full(n, np.nan, np.float32)


@pytest.mark.parametrize("check", [True, False], ids=["check", "no_check"])
@pytest.mark.parametrize("blocks", [1, 2, 3, 8, 40, 48, 49, 97, 300])
@pytest.mark.parametrize("n", [BLOCK, TILE - BLOCK, TILE, TILE + BLOCK, 3 * TILE, 100 * TILE + 5 * BLOCK])
def test_sums(n, blocks, check):
    x, y, z = arrays(n)
    add.options(check=check)[blocks](x, y, z, n)
    np.testing.assert_array_equal(z, x + y)
    launch = add.last_launch
    assert (launch.gm_read_bytes, launch.gm_written_bytes) == (8 * n, 4 * n)


def test_nothing_to_do():
    x, y, z = arrays(BLOCK)
    add[4](x, y, z, 0)
    assert np.isnan(z).all()


def test_most_blocks():
    x, y, z = arrays(TILE)
    add[65535](x, y, z, TILE)
    np.testing.assert_array_equal(z, x + y)


@pytest.mark.parametrize("blocks", [1, 5, 48, 61, 150])
def test_times_are_the_same_on_every_host(blocks):
    """Cycles, instructions and bytes depend on the input alone: not on threads, checks or chance."""
    n = 77 * TILE + BLOCK
    seen = set()
    for threads in (1, 2, 4):
        for check in (True, False):
            for _ in range(2):
                x, y, z = arrays(n)
                add.options(threads=threads, check=check)[blocks](x, y, z, n)
                np.testing.assert_array_equal(z, x + y)
                launch = add.last_launch
                seen.add((launch.cycles, launch.instructions, launch.gm_read_bytes, launch.gm_written_bytes))
    assert len(seen) == 1 and min(seen)[0] > 0


def test_two_buffers_are_faster_than_one():
    """The copy of the next tile runs beside the sum of this one, so the loop costs less than its parts in a row."""
    n = 64 * TILE
    x, y, z = arrays(n)
    add[1](x, y, z, n)
    two = add.last_launch.cycles
    one_by_one[1](x, y, z, n)
    np.testing.assert_array_equal(z, x + y)
    assert two < one_by_one.last_launch.cycles


@asc.jit
def one_by_one(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    z_gm.set_global_buffer(z, n)
    x_tile = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, TILE)
    y_tile = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 4 * TILE, TILE)
    for start in range(0, n, TILE):
        asc.data_copy(x_tile, x_gm[start], TILE)
        asc.data_copy(y_tile, y_gm[start], TILE)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.add(x_tile, x_tile, y_tile, TILE)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.data_copy(z_gm[start], x_tile, TILE)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
