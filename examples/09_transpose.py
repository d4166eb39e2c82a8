# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The transpose of a matrix of any size, by `trans_data_to_5hd`.

That instruction takes 16 rows, wherever they are, and writes their columns, wherever they shall be. A repeat takes the next block of each
row. So 16 rows of a tile are one call, and a tile of 64 x 64 elements is four: the columns of the transposed tile lie one after the other,
64 elements long, and leave in bursts of 128 or 256 bytes instead of the 32 that 16 rows give.

`transpose` would do a square of 16 x 16 whose rows already follow each other, which those of a wide matrix do not.

Nothing is computed: the results are exact, for every element type of 16 or 32 bits. bfloat16 is not among the types of the instruction,
which does not look at its elements: the tiles are seen as uint16.
"""

import asc
import ml_dtypes
import numpy as np

CORES = 8
SIDE = 64  # of a tile


@asc.jit
def transpose_tile(dst: asc.LocalTensor, src: asc.LocalTensor) -> None:
    """dst[j * SIDE + i] = src[i * SIDE + j]"""
    block = 32 // src.dtype.sizeof()
    for group in asc.static_range(0, SIDE, 16):
        rows = [src[(group + i) * SIDE] for i in range(16)]
        if src.dtype.sizeof() == 2:
            columns = [dst[j * SIDE + group] for j in range(16)]
        else:  # a column of 16 elements is two blocks
            columns = [dst[j // 2 * SIDE + group + j % 2 * 8] for j in range(16)]
        asc.trans_data_to_5hd(columns, rows, asc.TransDataTo5HDParams(False, False, SIDE // block, SIDE, 1))


@asc.jit
def transpose(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, columns: int) -> None:
    itemsize = x.dtype.sizeof()
    bits = asc.uint16 if itemsize == 2 else asc.uint32
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * columns)
    z_gm.set_global_buffer(z, rows * columns)

    # The tiles take turns on the cores.
    across = asc.ceildiv(columns, SIDE)
    for tile in range(asc.get_block_idx(), asc.ceildiv(rows, SIDE) * across, asc.get_block_num()):
        row, column = tile // across * SIDE, tile % across * SIDE
        height, width = min(SIDE, rows - row), min(SIDE, columns - column)
        src = asc.LocalTensorAuto(x.dtype, SIDE * SIDE)
        dst = asc.LocalTensorAuto(x.dtype, SIDE * SIDE)
        if height < SIDE or width < SIDE:  # what lies beside the matrix is transposed, too
            asc.duplicate(src, 0, SIDE * SIDE)
        gap = (SIDE * itemsize - asc.ceildiv(width * itemsize, 32) * 32) // 32
        copy = asc.DataCopyExtParams(height, width * itemsize, (columns - width) * itemsize, gap, 0)
        asc.data_copy_pad(src, x_gm[row * columns + column], copy, asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))

        transpose_tile(dst.reinterpret_cast(bits), src.reinterpret_cast(bits))

        gap = (SIDE * itemsize - asc.ceildiv(height * itemsize, 32) * 32) // 32
        copy = asc.DataCopyExtParams(width, height * itemsize, gap, (rows - height) * itemsize, 0)
        asc.data_copy_pad(z_gm[column * rows + row], dst, copy)


def run(x: np.ndarray, cores: int = CORES) -> np.ndarray:
    """The transpose of a matrix of float16, bfloat16 or float32."""
    z = np.empty(x.shape[::-1], x.dtype)
    transpose[cores](x, z, *x.shape)
    return z


def main() -> None:
    rng = np.random.default_rng(0)
    for dtype in [np.float16, ml_dtypes.bfloat16, np.float32]:
        for shape in [(1, 1), (16, 16), (64, 64), (100, 333), (1, 1000), (513, 17)]:
            x = rng.standard_normal(shape).astype(dtype)
            np.testing.assert_array_equal(run(x), x.T)
            print(f"the transpose of {shape} {np.dtype(dtype)}s is right; {transpose.last_launch.cycles} simulated cycles")


if __name__ == "__main__":
    main()
