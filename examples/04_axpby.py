# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lesson 4: z = a * x + b * y with scalars, and the compiler does the rest: addresses and flags.

`LocalTensorAuto` is a tensor in the unified buffer whose place the compiler chooses. A kernel that has one also needs no flags: the
compiler finds the pairs of accesses that need an order and inserts what is missing. `compile(...).inserted_sync` tells what and why.

Numbers that are passed to a kernel are run-time values: another `a` needs no new compilation.
"""

import asc
import numpy as np

TILE = 4096  # elements of a tile
CORES = 8


@asc.jit
def load(tile: asc.LocalTensor, source: asc.GlobalTensor, count: int) -> None:
    copy = asc.DataCopyExtParams(1, count * source.dtype.sizeof(), 0, 0, 0)
    asc.data_copy_pad(tile, source, copy, asc.DataCopyPadExtParams(source.dtype, False, 0, 0, 0))


@asc.jit
def axpby(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, a: float, b: float, n: int) -> None:
    share = asc.ceildiv(n, asc.get_block_num())
    start = share * asc.get_block_idx()
    mine = max(0, min(share, n - start))
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + start, mine)
    y_gm.set_global_buffer(y + start, mine)
    z_gm.set_global_buffer(z + start, mine)

    for i in range(0, mine, TILE):
        count = min(TILE, mine - i)
        x_tile = asc.LocalTensorAuto(asc.float32, TILE)
        y_tile = asc.LocalTensorAuto(asc.float32, TILE)
        load(x_tile, x_gm[i], count)
        load(y_tile, y_gm[i], count)
        asc.muls(x_tile, x_tile, a, count)
        asc.muls(y_tile, y_tile, b, count)
        asc.add(x_tile, x_tile, y_tile, count)
        asc.data_copy_pad(z_gm[i], x_tile, asc.DataCopyExtParams(1, count * z.dtype.sizeof(), 0, 0, 0))


def run(x: np.ndarray, y: np.ndarray, a: float, b: float) -> np.ndarray:
    """z = a * x + b * y of two float32 arrays of one length."""
    z = np.zeros_like(x)
    axpby[CORES](x, y, z, a, b, len(z))
    return z


def main() -> None:
    rng = np.random.default_rng(0)
    for n in [1, 8, 100, 4097, 300_001]:
        x = rng.standard_normal(n, dtype=np.float32)
        y = rng.standard_normal(n, dtype=np.float32)
        z = run(x, y, 2.5, -0.5)
        np.testing.assert_array_equal(z, np.float32(2.5) * x + np.float32(-0.5) * y)
        print(f"{n} results are right; {axpby.last_launch.cycles} simulated cycles")
    print("\n".join(axpby.compile(x, y, z, 2.5, -0.5, n).inserted_sync))


if __name__ == "__main__":
    main()
