# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lesson 7: the k largest elements of every row of a matrix, and where they are. float32, float16 or bfloat16, rows of any length,
k up to 512.

It is written so because these cores sort records of 8 bytes, a score and an index: `sort` makes and sorts them, and `mrg_sort` merges lists
that are sorted already. A tile of the row is sorted as a whole and merged with the best records so far, of which the first k are kept; so
the row is read once, and the unified buffer need not hold it. A tile that is not full is filled up with -inf, which sorts last. Scores are
float16 or float32; bfloat16 is cast to float32, and the results back, which changes none of them.

No arithmetic is done: the results are elements of the row, and equal to those of a stable descending sort. The elements must not be NaN.
"""

import asc
import ml_dtypes
import numpy as np

TILE = 1024  # elements sorted at a time
GROUPS = TILE // 32
MOST = 512  # largest k
CORES = 40


@asc.jit
def number(index: asc.LocalTensor, n: int) -> None:
    """index[i] = i: eight by the scalar unit, then twice as many with every instruction."""
    for i in asc.static_range(8):
        index.set_value(i, i)
    done = 8
    while done < n:
        asc.adds(index[done], index, done, done)
        done = done * 2


@asc.jit
def load(tile: asc.LocalTensor, row: asc.GlobalTensor, start: int, count: int) -> None:
    """tile[:count] = row[start : start + count], and -inf behind it."""
    asc.duplicate(tile, float("-inf"), TILE)
    dtype = row.dtype
    copy = asc.DataCopyExtParams(1, count * dtype.sizeof(), 0, 0, 0)
    if dtype == tile.dtype:
        whole = 32 // dtype.sizeof()
        fill = asc.DataCopyPadExtParams(dtype, True, 0, asc.ceildiv(count, whole) * whole - count, float("-inf"))
        asc.data_copy_pad(tile, row[start], copy, fill)
    else:
        narrow = asc.LocalTensorAuto(dtype, TILE)
        asc.data_copy_pad(narrow, row[start], copy, asc.DataCopyPadExtParams(dtype, False, 0, 0, 0))
        asc.cast(tile, narrow, asc.RoundMode.CAST_NONE, count)


@asc.jit
def store(row: asc.GlobalTensor, tile: asc.LocalTensor, count: int) -> None:
    if row.dtype != tile.dtype:
        narrow = asc.LocalTensorAuto(row.dtype, TILE)
        asc.cast(narrow, tile, asc.RoundMode.CAST_RINT, count)
        tile = narrow
    asc.data_copy_pad(row, tile, asc.DataCopyExtParams(1, count * row.dtype.sizeof(), 0, 0, 0))


@asc.jit
def top_k(x: asc.GlobalAddress, values: asc.GlobalAddress, places: asc.GlobalAddress, rows: int, n: int, k: int) -> None:
    dtype = asc.float32 if x.dtype == asc.bfloat16 else x.dtype  # of the scores
    size = asc.get_sort_len(1, dtype)  # elements of a record
    share = asc.ceildiv(rows, asc.get_block_num())
    first = share * asc.get_block_idx()
    kept = asc.ceildiv(k, 32)  # groups of 32 records that are kept
    x_row, values_row, places_row = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    for r in range(first, min(first + share, rows)):
        x_row.set_global_buffer(x + r * n, n)
        values_row.set_global_buffer(values + r * k, k)
        places_row.set_global_buffer(places + r * k, k)
        tile = asc.LocalTensorAuto(dtype, TILE)
        index = asc.LocalTensorAuto(asc.int32, TILE)
        best = asc.LocalTensorAuto(dtype, 4 * (TILE + MOST))
        chunk = asc.LocalTensorAuto(dtype, 4 * TILE)
        work = asc.LocalTensorAuto(dtype, 4 * (TILE + MOST))
        number(index, TILE)
        for i in range(0, n, TILE):
            load(tile, x_row, i, min(n - i, TILE))
            asc.sort(chunk, tile, index.reinterpret_cast(asc.uint32), work, GROUPS, is_full_sort=True)
            if i == 0:
                asc.data_copy(best, chunk, MOST * size)
            else:
                lists = asc.MrgSortSrcList(dtype, best, chunk)
                asc.mrg_sort(work, lists, asc.MrgSort4Info([kept * 32, TILE, 0, 0], False, 3, 1))
                asc.data_copy(best, work, MOST * size)
            asc.adds(index, index, TILE, TILE)
        asc.adv.extract(tile, index.reinterpret_cast(asc.uint32), best, kept)
        store(values_row, tile, k)
        store(places_row, index.reinterpret_cast(places.dtype), k)


def run(x: np.ndarray, k: int, cores: int = CORES) -> tuple[np.ndarray, np.ndarray]:
    """The k largest elements of each row in descending order, and their columns."""
    values, places = np.empty((len(x), k), x.dtype), np.empty((len(x), k), np.int32)
    top_k[cores](x, values, places, *x.shape, k)
    return values, places


def reference(x: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(-x.astype(np.float64), axis=1, kind="stable")[:, :k]
    return np.take_along_axis(x, order, axis=1), order


def main() -> None:
    rng = np.random.default_rng(0)
    for dtype in (np.float32, np.float16, ml_dtypes.bfloat16):
        for rows, n, k in [(1, 1, 1), (3, 100, 7), (40, 5000, 512)]:
            x = rng.standard_normal((rows, n)).astype(dtype)
            for got, want in zip(run(x, k), reference(x, k), strict=True):
                np.testing.assert_array_equal(got, want)
            print(f"top {k} of {rows} rows of {n} in {np.dtype(dtype)} is right; {top_k.last_launch.cycles} simulated cycles")


if __name__ == "__main__":
    main()
