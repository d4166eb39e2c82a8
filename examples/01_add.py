# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lesson 1: z = x + y on eight cores, with explicit flags and two buffers.

An AI Core does not compute on global memory (GM). It copies a tile of each array into its own small memory, the unified buffer (UB, 192
KiB), computes there, and copies the result back. Three units ("pipes") do that work side by side:

    MTE2   GM -> UB    copy in
    V      UB -> UB    compute
    MTE3   UB -> GM    copy out

The scalar unit runs this program and only hands each instruction to its pipe; it does not wait for the work. So nothing but flags orders
one pipe after another: `set_flag(A_B, id)` makes pipe A raise a flag when all that it was given before is done, `wait_flag(A_B, id)` makes
pipe B wait for the flag and lower it again.

With two buffers for each array, MTE2 fills one while V works on the other: the copies hide the computation.
"""

import asc
import numpy as np

TILE = 8192  # elements of a tile: 32 KiB of float32; 2 buffers x 3 arrays = 192 KiB, all of UB
CORES = 8


@asc.jit
def add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int) -> None:
    # Every core runs the whole program; its number tells which part of the arrays is its own.
    share = n // asc.get_block_num()
    start = share * asc.get_block_idx()
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + start, share)
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y + start, share)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z + start, share)

    # Where things lie in UB is our own choice: two tiles of each array, one after the other (addresses in bytes, sizes in elements).
    x_local = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0 * TILE, 2 * TILE)
    y_local = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 8 * TILE, 2 * TILE)
    z_local = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 16 * TILE, 2 * TILE)

    # In the beginning all buffers are free, as if V had read the inputs (V_MTE2) and MTE3 had written the results (MTE3_V). The id of a
    # flag is the number of its buffer.
    for buffer in range(2):
        asc.set_flag(asc.HardEvent.V_MTE2, buffer)
        asc.set_flag(asc.HardEvent.MTE3_V, buffer)

    for i in range(share // TILE):
        buffer = i % 2
        x_tile = x_local[buffer * TILE]
        y_tile = y_local[buffer * TILE]
        z_tile = z_local[buffer * TILE]

        # Copy in, when V no longer needs what the buffers hold.
        asc.wait_flag(asc.HardEvent.V_MTE2, buffer)
        asc.data_copy(x_tile, x_gm[i * TILE], TILE)
        asc.data_copy(y_tile, y_gm[i * TILE], TILE)
        asc.set_flag(asc.HardEvent.MTE2_V, buffer)

        # Compute, when the inputs are there and the result buffer has been copied out.
        asc.wait_flag(asc.HardEvent.MTE2_V, buffer)
        asc.wait_flag(asc.HardEvent.MTE3_V, buffer)
        asc.add(z_tile, x_tile, y_tile, TILE)
        asc.set_flag(asc.HardEvent.V_MTE2, buffer)
        asc.set_flag(asc.HardEvent.V_MTE3, buffer)

        # Copy out, when the result is there.
        asc.wait_flag(asc.HardEvent.V_MTE3, buffer)
        asc.data_copy(z_gm[i * TILE], z_tile, TILE)
        asc.set_flag(asc.HardEvent.MTE3_V, buffer)

    # Every flag that was set is waited for: a flag left set would disturb the next kernel.
    for buffer in range(2):
        asc.wait_flag(asc.HardEvent.V_MTE2, buffer)
        asc.wait_flag(asc.HardEvent.MTE3_V, buffer)


def main() -> None:
    n = CORES * TILE * 16  # the lesson leaves out the tail: a whole number of tiles for every core
    rng = np.random.default_rng(0)
    x = rng.standard_normal(n, dtype=np.float32)
    y = rng.standard_normal(n, dtype=np.float32)
    z = np.empty_like(x)
    add[CORES](x, y, z, n)
    np.testing.assert_array_equal(z, x + y)
    print(f"{n} sums are right; {add.last_launch.cycles} simulated cycles")


if __name__ == "__main__":
    main()
