# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lesson 12: the sum of the rows of a matrix, over all cores: out[j] = x[0, j] + x[1, j] + ...

    shares   core c takes the rows c, c + cores, c + 2 * cores, ...; a row has any length
    sums     `set_atomic_add` lets every copy to global memory add to what is there: no core waits for another, none needs the results of
             the others, and there is no second pass over partial sums
    zeros    the host sets `out` to zero, as copies add to it

It is written so because the path to global memory adds by itself: the vector unit does nothing, which also makes sums of bfloat16 possible,
for which it has no `add`. The price is precision: each of the `rows` additions is rounded to the dtype, in an order that is not
known on the device. So a sum is off by at most rows * u * (|x[0, j]| + |x[1, j]| + ...), where u is half the distance from 1 to the next
number: 2**-24 for float32, 2**-11 for float16, 2**-8 for bfloat16. In the simulator cores take turns by simulated time, so a
launch always gives the same bits.
"""

import asc
import ml_dtypes
import numpy as np

TILE_BYTES = 16 * 1024
CORES = 8


@asc.jit
def add_rows(x: asc.GlobalAddress, out: asc.GlobalAddress, rows: int, n: int) -> None:
    x_gm, out_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * n)
    out_gm.set_global_buffer(out, n)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)  # what goes in comes out: nothing is computed between
    pipe.init_buffer(queue, 2, TILE_BYTES)

    size = x.dtype.sizeof()
    tile = TILE_BYTES // size
    asc.set_atomic_add(x.dtype)
    for row in range(asc.get_block_idx(), rows, asc.get_block_num()):
        for start in range(0, n, tile):
            copy = asc.DataCopyExtParams(1, min(tile, n - start) * size, 0, 0, 0)
            part = queue.alloc_tensor(x.dtype)
            asc.data_copy_pad(part, x_gm[row * n + start], copy, asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))
            queue.enque(part)
            part = queue.deque(x.dtype)
            asc.data_copy_pad(out_gm[start], part, copy)
            queue.free_tensor(part)
    asc.set_atomic_none()


def run(x: np.ndarray, cores: int = CORES) -> np.ndarray:
    """The sums of the columns of a matrix of float32, float16, bfloat16, int8, int16 or int32."""
    rows, n = x.shape
    out = np.zeros(n, x.dtype)
    add_rows[cores](x, out, rows, n)
    return out


def most_error(x: np.ndarray, u: float) -> np.ndarray:
    """The bound from above; `u`: half the distance from 1 to the next number of the dtype."""
    bound: np.ndarray = len(x) * u * np.abs(x.astype(np.float64)).sum(axis=0)
    return bound


def main() -> None:
    rng = np.random.default_rng(0)
    for dtype, u in [(np.float32, 2.0**-24), (np.float16, 2.0**-11), (ml_dtypes.bfloat16, 2.0**-8)]:
        for rows, n, cores in [(1, 1, 1), (100, 33, 8), (40, 20_001, 40)]:
            x = rng.standard_normal((rows, n)).astype(dtype)
            error = np.abs(run(x, cores).astype(np.float64) - x.astype(np.float64).sum(axis=0))
            assert (error <= most_error(x, u)).all()
            cycles = add_rows.last_launch.cycles
            print(f"{n} sums of {rows} {np.dtype(dtype)} on {cores} cores: off by {error.max():.2g} at most, {cycles} simulated cycles")


if __name__ == "__main__":
    main()
