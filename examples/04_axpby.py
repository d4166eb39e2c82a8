# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lesson 4: z = a * x + b * y for arrays of any length, with scalars, a device function and a tail.

Real sizes are no multiple of a tile. Two things follow:

    shares   every core gets the same number of elements, rounded up to whole blocks of 32 bytes; the last cores get less, or nothing
    tails    the last tile of a share is shorter: its `count` is a run-time value

Copies move whole blocks of 32 bytes (8 float32). The host therefore pads the arrays to a multiple of 8 elements.
"""

import asc
import numpy as np

TILE = 4096  # elements of a tile
BLOCK = 8  # float32 elements in 32 bytes
CORES = 8


@asc.jit
def combine(z_tile, a, x_tile, b, y_tile, count):
    """A device function: kernels call it like any function. Arithmetic on tensors is calls, from operands to a destination."""
    asc.muls(x_tile, x_tile, a, count)
    asc.muls(y_tile, y_tile, b, count)
    asc.add(z_tile, x_tile, y_tile, count)


@asc.jit
def axpby(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, a: float, b: float, n: int):
    # The share of this core: from start on, and no further than n.
    share = asc.ceildiv(n, asc.get_block_num() * BLOCK) * BLOCK
    start = share * asc.get_block_idx()
    mine = max(0, min(share, n - start))
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + start, mine)
    y_gm.set_global_buffer(y + start, mine)
    z_gm.set_global_buffer(z + start, mine)
    x_tile = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0 * TILE, TILE)
    y_tile = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 4 * TILE, TILE)
    z_tile = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 8 * TILE, TILE)

    # One buffer for each array: copies and computation take turns. Lesson 1 shows how two buffers let them overlap.
    asc.set_flag(asc.HardEvent.V_MTE2, 0)
    asc.set_flag(asc.HardEvent.MTE3_V, 0)
    for i in range(0, mine, TILE):
        count = min(TILE, mine - i)
        asc.wait_flag(asc.HardEvent.V_MTE2, 0)
        asc.data_copy(x_tile, x_gm[i], count)
        asc.data_copy(y_tile, y_gm[i], count)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)

        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE3_V, 0)
        combine(z_tile, a, x_tile, b, y_tile, count)
        asc.set_flag(asc.HardEvent.V_MTE2, 0)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)

        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm[i], z_tile, count)
        asc.set_flag(asc.HardEvent.MTE3_V, 0)
    asc.wait_flag(asc.HardEvent.V_MTE2, 0)
    asc.wait_flag(asc.HardEvent.MTE3_V, 0)


def run(x: np.ndarray, y: np.ndarray, a: float, b: float) -> np.ndarray:
    """z = a * x + b * y; the arrays may have any length."""
    pad = -len(x) % BLOCK
    x_padded, y_padded = np.pad(x, (0, pad)), np.pad(y, (0, pad))
    z = np.empty_like(x_padded)
    axpby[CORES](x_padded, y_padded, z, a, b, len(z))
    return z[: len(x)]


def main():
    rng = np.random.default_rng(0)
    for n in [1, 8, 100, 4097, 300_001]:
        x = rng.standard_normal(n, dtype=np.float32)
        y = rng.standard_normal(n, dtype=np.float32)
        z = run(x, y, 2.5, -0.5)
        np.testing.assert_array_equal(z, np.float32(2.5) * x + np.float32(-0.5) * y)
        print(f"{n} results are right; {axpby.last_launch.cycles} simulated cycles")


if __name__ == "__main__":
    main()
