# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An embedding: z[i] = table[index[i]], rows of a table by their numbers.

Each row is copied by itself, from where the scalar unit says. `gather` takes elements from the unified buffer only: the table does not fit
there, and a row that lies in one piece in global memory is moved at full rate by one copy, where `gather` needs 12 to 24 cycles for every
256 bytes. Rows are collected in a tile and leave in one copy.

Nothing is computed: the results are exact, for every element type.
"""

import asc
import ml_dtypes
import numpy as np

CORES = 8
TILE_BYTES = 32 * 1024  # rows on their way
BATCH = 512  # row numbers that are loaded together


@asc.jit
def embed(table: asc.GlobalAddress, index: asc.GlobalAddress, z: asc.GlobalAddress, n: int, width: asc.ConstExpr[int] = 64) -> None:
    itemsize = table.dtype.sizeof()
    # A tile has rows of `chunk` elements, each from the start of a block on; very long rows are copied in parts.
    chunk = min(width, TILE_BYTES // itemsize)
    pitch = asc.ceildiv(chunk * itemsize, 32) * 32 // itemsize
    rows = min(BATCH, TILE_BYTES // (pitch * itemsize))

    share = asc.ceildiv(n, asc.get_block_num())
    start = share * asc.get_block_idx()
    mine = max(0, min(share, n - start))
    table_gm, index_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    table_gm.set_global_buffer(table)
    index_gm.set_global_buffer(index + start, mine)
    z_gm.set_global_buffer(z + start * width, mine * width)

    for first in range(0, mine, rows):
        count = min(rows, mine - first)
        numbers = asc.LocalTensorAuto(asc.int32, BATCH)
        tile = asc.LocalTensorAuto(table.dtype, rows * pitch)
        asc.data_copy_pad(
            numbers, index_gm[first], asc.DataCopyExtParams(1, count * 4, 0, 0, 0), asc.DataCopyPadExtParams(asc.int32, False, 0, 0, 0)
        )
        for column in asc.static_range(0, width, chunk):
            columns = min(chunk, width - column)
            for i in range(count):
                row = numbers.get_value(i)
                asc.data_copy_pad(
                    tile[i * pitch],
                    table_gm[row * width + column],
                    asc.DataCopyExtParams(1, columns * itemsize, 0, 0, 0),
                    asc.DataCopyPadExtParams(table.dtype, False, 0, 0, 0),
                )
            gap = asc.ceildiv(chunk * itemsize, 32) - asc.ceildiv(columns * itemsize, 32)
            copy = asc.DataCopyExtParams(count, columns * itemsize, gap, (width - columns) * itemsize, 0)
            asc.data_copy_pad(z_gm[first * width + column], tile, copy)


def run(table: np.ndarray, index: np.ndarray, cores: int = CORES) -> np.ndarray:
    """table[index], for a table of two dimensions and an index of int32."""
    z = np.empty((len(index), table.shape[1]), table.dtype)
    embed[cores](table, index, z, len(index), table.shape[1])
    return z


def main() -> None:
    rng = np.random.default_rng(0)
    for dtype in [np.float16, ml_dtypes.bfloat16, np.float32]:
        for rows, width, n in [(1000, 64, 1), (1000, 100, 333), (50, 1, 5000), (30, 20_000, 40)]:
            table = rng.standard_normal((rows, width)).astype(dtype)
            index = rng.integers(0, rows, n, dtype=np.int32)
            np.testing.assert_array_equal(run(table, index), table[index])
            print(f"{n} rows of {width} {np.dtype(dtype)}s are right; {embed.last_launch.cycles} simulated cycles")


if __name__ == "__main__":
    main()
