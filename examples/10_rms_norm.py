# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RMSNorm of rows of up to 8192 elements, float32, float16 or bfloat16: z = x / sqrt(mean(x * x) + epsilon) * weight.

All arithmetic is in float32: 16-bit elements are cast, which is exact, and results are rounded once, at the end. Squares are added as a
tree, with few roundings: the halves of a row by `add`, which takes a cycle for 64 elements, and only what is left by `reduce_sum`, which
takes seven. The inverse of the root is taken by `sqrt` and a division, not by `rsqrt`: the device has a table for that, with 10 good bits.

Error, relative to the exact result (or to the smallest normal number, where that is larger): at most (log2(n) / 2 + 12) * 2^-24, half of it
from the sum, the rest from the seven roundings after it; in the 16-bit types, half a unit in the last place more.
"""

from typing import Any

import asc
import ml_dtypes
import numpy as np

CORES = 8
MOST = 8192  # elements of a row
LANES = 64  # float32 numbers of a repeat


@asc.jit
def load(tile: asc.LocalTensor, row: asc.GlobalTensor, n: int) -> None:
    """tile = row, as float32."""
    copy = asc.DataCopyExtParams(1, n * row.dtype.sizeof(), 0, 0, 0)
    fill = asc.DataCopyPadExtParams(row.dtype, False, 0, 0, 0)
    if row.dtype == asc.float32:
        asc.data_copy_pad(tile, row, copy, fill)
    else:
        narrow = asc.LocalTensorAuto(row.dtype, MOST)
        asc.data_copy_pad(narrow, row, copy, fill)
        asc.cast(tile, narrow, asc.RoundMode.CAST_NONE, n)


@asc.jit
def store(row: asc.GlobalTensor, tile: asc.LocalTensor, n: int) -> None:
    if row.dtype != asc.float32:
        narrow = asc.LocalTensorAuto(row.dtype, MOST)
        asc.cast(narrow, tile, asc.RoundMode.CAST_RINT, n)
        tile = narrow
    asc.data_copy_pad(row, tile, asc.DataCopyExtParams(1, n * row.dtype.sizeof(), 0, 0, 0))


@asc.jit
def total(tile: asc.LocalTensor, n: int) -> Any:
    """The sum of the first n elements, which are lost: the second half is added to the first until one repeat is left."""
    result = asc.LocalTensorAuto(asc.float32, 8)
    work = asc.LocalTensorAuto(asc.float32, 8)
    while n > LANES:
        half = asc.ceildiv(n, 16) * 8  # a whole number of blocks
        asc.add(tile, tile, tile[half], n - half)
        n = half
    asc.reduce_sum(result, tile, work, n, 1, 8)
    return result.get_value(0)


@asc.jit
def square_root(x: float) -> Any:
    """The vector unit has it, the scalar unit has not."""
    root = asc.LocalTensorAuto(asc.float32, 8)
    asc.duplicate(root, x, 8)
    asc.sqrt(root, root, 8)
    return root.get_value(0)


@asc.jit
def normalise(x: asc.GlobalAddress, weight: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, n: int, epsilon: float) -> None:
    share = asc.ceildiv(rows, asc.get_block_num())
    first = share * asc.get_block_idx()
    x_row, z_row, weight_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    weight_gm.set_global_buffer(weight, n)
    weights = asc.LocalTensorAuto(asc.float32, MOST)
    row = asc.LocalTensorAuto(asc.float32, MOST)
    squares = asc.LocalTensorAuto(asc.float32, MOST)
    if first < rows:
        load(weights, weight_gm, n)
    for r in range(first, min(first + share, rows)):
        x_row.set_global_buffer(x + r * n, n)
        z_row.set_global_buffer(z + r * n, n)
        load(row, x_row, n)
        asc.mul(squares, row, row, n)
        root = square_root(total(squares, n) / n + epsilon)
        asc.muls(row, row, 1.0 / root, n)
        asc.mul(row, row, weights, n)
        store(z_row, row, n)


def run(x: np.ndarray, weight: np.ndarray, epsilon: float = 1e-6, cores: int = CORES) -> np.ndarray:
    """The rows of a matrix of float32, float16 or bfloat16 (of ml_dtypes), normalised; weight is of the same type."""
    assert x.shape[1] <= MOST
    z = np.empty_like(x)
    normalise[cores](x, weight, z, *x.shape, epsilon)
    return z


def reference(x: np.ndarray, weight: np.ndarray, epsilon: float = 1e-6) -> np.ndarray:
    """The same in float64."""
    x, weight = x.astype(np.float64), weight.astype(np.float64)
    exact: np.ndarray = x / np.sqrt((x * x).mean(axis=1, keepdims=True) + epsilon) * weight
    return exact


def largest_error(z: np.ndarray, exact: np.ndarray) -> float:
    return float((abs(z - exact) / np.maximum(abs(exact), float(ml_dtypes.finfo(z.dtype).tiny))).max(initial=0))


def error_bound(dtype: type, n: int) -> float:
    single = float(np.log2(n) / 2 + 12) * 2.0**-24
    return single if dtype == np.float32 else single + float(ml_dtypes.finfo(dtype).eps) / 2 * (1 + single)


def main() -> None:
    rng = np.random.default_rng(0)
    for dtype in [np.float32, np.float16, ml_dtypes.bfloat16]:
        for rows, n in [(1, 1), (3, 17), (40, 64), (5, 1000), (9, 4096), (2, 8191)]:
            x = rng.standard_normal((rows, n)).astype(dtype)
            weight = rng.uniform(0.5, 2, n).astype(dtype)
            error = largest_error(run(x, weight), reference(x, weight))
            assert error <= error_bound(dtype, n)
            print(f"{rows} rows of {n} {np.dtype(dtype)}s, error {error:.1e}; {normalise.last_launch.cycles} simulated cycles")


if __name__ == "__main__":
    main()
