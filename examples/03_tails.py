# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lesson 3: z = x + y for any length, any number of cores and every dtype that `add` has.

Real sizes are no multiple of a tile, and seldom one of the 32 bytes that `data_copy` moves. Three things follow:

    shares   every core gets the same number of elements, rounded up; the last cores get less, or nothing
    tails    the last tile of a share is shorter: its `count` is a run-time value
    bytes    `data_copy_pad` moves any number of bytes: into the unified buffer it fills up the last block of 32 bytes, out of it it writes
             exactly the bytes asked for, so that neighbours in memory stay as they are

The dtype is that of the arrays: one kernel in the source, compiled once for each.
"""

import asc
import numpy as np

TILE_BYTES = 16 * 1024
CORES = 8


@asc.jit
def copy_in(queue: asc.TQue, source: asc.GlobalTensor, start: int, count: int) -> None:
    tile = queue.alloc_tensor(source.dtype)
    copy = asc.DataCopyExtParams(1, count * source.dtype.sizeof(), 0, 0, 0)
    fill = asc.DataCopyPadExtParams(source.dtype, False, 0, 0, 0)
    asc.data_copy_pad(tile, source[start], copy, fill)
    queue.enque(tile)


@asc.jit
def compute(x_queue: asc.TQue, y_queue: asc.TQue, z_queue: asc.TQue, dtype: asc.DataType, count: int) -> None:
    x = x_queue.deque(dtype)
    y = y_queue.deque(dtype)
    z = z_queue.alloc_tensor(dtype)
    asc.add(z, x, y, count)
    z_queue.enque(z)
    x_queue.free_tensor(x)
    y_queue.free_tensor(y)


@asc.jit
def copy_out(target: asc.GlobalTensor, start: int, queue: asc.TQue, count: int) -> None:
    tile = queue.deque(target.dtype)
    copy = asc.DataCopyExtParams(1, count * target.dtype.sizeof(), 0, 0, 0)
    asc.data_copy_pad(target[start], tile, copy)
    queue.free_tensor(tile)


@asc.jit
def add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int, buffers: asc.ConstExpr[int] = 2) -> None:
    # The share of this core: from start on, and no further than n.
    share = asc.ceildiv(n, asc.get_block_num())
    start = share * asc.get_block_idx()
    mine = max(0, min(share, n - start))
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + start, mine)
    y_gm.set_global_buffer(y + start, mine)
    z_gm.set_global_buffer(z + start, mine)

    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    y_queue = asc.TQue(asc.TPosition.VECIN, 1)
    z_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    for queue in (x_queue, y_queue, z_queue):
        pipe.init_buffer(queue, buffers, TILE_BYTES)

    tile = TILE_BYTES // x.dtype.sizeof()
    for i in range(0, mine, tile):
        count = min(tile, mine - i)
        copy_in(x_queue, x_gm, i, count)
        copy_in(y_queue, y_gm, i, count)
        compute(x_queue, y_queue, z_queue, x.dtype, count)
        copy_out(z_gm, i, z_queue, count)


def run(x: np.ndarray, y: np.ndarray, cores: int = CORES, buffers: int = 2) -> np.ndarray:
    """x + y of two arrays of one length and dtype: float16, float32, int16 or int32."""
    z = np.zeros_like(x)
    add[cores](x, y, z, len(x), buffers)
    return z


def main() -> None:
    rng = np.random.default_rng(0)
    for dtype in [np.float16, np.float32, np.int16, np.int32]:
        for n, cores in [(1, 8), (100, 3), (4097, 8), (300_001, 40)]:
            x = rng.integers(-1000, 1000, n).astype(dtype)
            y = rng.integers(-1000, 1000, n).astype(dtype)
            np.testing.assert_array_equal(run(x, y, cores), x + y)
            print(f"{n} sums of {np.dtype(dtype)} are right on {cores} cores; {add.last_launch.cycles} simulated cycles")


if __name__ == "__main__":
    main()
