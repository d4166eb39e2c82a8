# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lesson 13: LayerNorm of every row of a matrix, float32, float16 or bfloat16, rows of any length.

    z[r, i] = (x[r, i] - mean[r]) / sqrt(variance[r] + epsilon) * gamma[i] + beta[i]

It is written so, as one kernel, because time goes into moving rows, not into arithmetic: a row that fits into a tile is read once and
written once; a longer one is read once more, for the second step. The variance is the mean of (x - mean)**2, not that of x**2 less mean**2,
whose digits cancel. Every tile of a long row has a mean and a sum of squares of its own, which are then put together exactly.

All arithmetic is in float32: 16-bit elements are cast, which is exact, and results are rounded once, at the end. `error_bound` says how far
a result may be from LayerNorm in float64. With gamma 1 and beta 0, for rows of 1024 normally distributed numbers and results of about 1,
that is 2e-6 in float32 (2e-7 are found), and half a unit in the last place in the 16-bit types. A mean far from 0 costs digits: its error,
log2(n) roundings of the size of x, stays when it is subtracted.
"""

from typing import Any

import asc
import ml_dtypes
import numpy as np

TILE = 4096  # elements; all tensors fit into the unified buffer
LANES = 64  # float32 numbers of a repeat
CORES = 40


@asc.jit
def load(tile: asc.LocalTensor, row: asc.GlobalTensor, start: int, count: int) -> None:
    """tile = row[start : start + count], as float32."""
    copy = asc.DataCopyExtParams(1, count * row.dtype.sizeof(), 0, 0, 0)
    fill = asc.DataCopyPadExtParams(row.dtype, False, 0, 0, 0)
    if row.dtype == asc.float32:
        asc.data_copy_pad(tile, row[start], copy, fill)
    else:
        narrow = asc.LocalTensorAuto(row.dtype, TILE)
        asc.data_copy_pad(narrow, row[start], copy, fill)
        asc.cast(tile, narrow, asc.RoundMode.CAST_NONE, count)


@asc.jit
def store(row: asc.GlobalTensor, start: int, tile: asc.LocalTensor, count: int) -> None:
    copy = asc.DataCopyExtParams(1, count * row.dtype.sizeof(), 0, 0, 0)
    if row.dtype == asc.float32:
        asc.data_copy_pad(row[start], tile, copy)
    else:
        narrow = asc.LocalTensorAuto(row.dtype, TILE)
        asc.cast(narrow, tile, asc.RoundMode.CAST_RINT, count)
        asc.data_copy_pad(row[start], narrow, copy)


@asc.jit
def total(tile: asc.LocalTensor, count: int) -> Any:
    """The sum of the first elements, as a tree: `reduce_sum` with a count would add the repeats one after the other."""
    result = asc.LocalTensorAuto(asc.float32, 8)
    work = asc.LocalTensorAuto(asc.float32, TILE // LANES)
    whole = count // LANES
    rest = count - whole * LANES
    s = 0.0
    if whole > 0:
        asc.reduce_sum(result, tile, work, LANES, whole, 8)
        s = result.get_value(0)
    if rest > 0:
        asc.reduce_sum(result, tile[whole * LANES], work, rest, 1, 8)
        s += result.get_value(0)
    return s


@asc.jit
def inverse_root(x: float) -> Any:
    """1 / sqrt(x). The vector unit has the root; its `rsqrt` has 10 good bits only."""
    root = asc.LocalTensorAuto(asc.float32, 8)
    asc.duplicate(root, x, 8)
    asc.sqrt(root, root, 8)
    return 1.0 / root.get_value(0)


@asc.jit
def layer_norm(
    x: asc.GlobalAddress, gamma: asc.GlobalAddress, beta: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, n: int, epsilon: float
) -> None:
    share = asc.ceildiv(rows, asc.get_block_num())
    first = share * asc.get_block_idx()
    x_row, gammas, betas, z_row = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    gammas.set_global_buffer(gamma, n)
    betas.set_global_buffer(beta, n)
    tile = asc.LocalTensorAuto(asc.float32, TILE)
    squares = asc.LocalTensorAuto(asc.float32, TILE)
    scale = asc.LocalTensorAuto(asc.float32, TILE)
    bias = asc.LocalTensorAuto(asc.float32, TILE)
    if first < rows and n <= TILE:
        load(scale, gammas, 0, n)
        load(bias, betas, 0, n)

    for r in range(first, min(first + share, rows)):
        x_row.set_global_buffer(x + r * n, n)
        z_row.set_global_buffer(z + r * n, n)

        mean = 0.0
        spread = 0.0  # the sum of (x - mean)**2 of the elements so far
        for i in range(0, n, TILE):
            count = min(n - i, TILE)
            load(tile, x_row, i, count)
            tile_mean = total(tile, count) / count
            asc.adds(tile, tile, -tile_mean, count)
            asc.mul(squares, tile, tile, count)
            step = tile_mean - mean
            weight = float(count) / (i + count)
            mean += step * weight
            spread += total(squares, count) + step * step * weight * i
        factor = inverse_root(spread / n + epsilon)

        for i in range(0, n, TILE):
            count = min(n - i, TILE)
            if n > TILE:  # else x - mean is there still
                load(tile, x_row, i, count)
                asc.adds(tile, tile, -mean, count)
                load(scale, gammas, i, count)
                load(bias, betas, i, count)
            asc.muls(tile, tile, factor, count)
            asc.mul(tile, tile, scale, count)
            asc.add(tile, tile, bias, count)
            store(z_row, i, tile, count)


def run(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray, epsilon: float = 1e-5, cores: int = CORES) -> np.ndarray:
    """The rows of a matrix of float32, float16 or bfloat16 (of ml_dtypes), normalised; gamma and beta are of the same type."""
    z = np.empty_like(x)
    layer_norm[cores](x, gamma, beta, z, *x.shape, epsilon)
    return z


def reference(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray, epsilon: float = 1e-5) -> np.ndarray:
    """The same in float64."""
    x, gamma, beta = (a.astype(np.float64) for a in (x, gamma, beta))
    exact: np.ndarray = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + epsilon) * gamma + beta
    return exact


def error_bound(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray, epsilon: float = 1e-5) -> np.ndarray:
    """How far a result may be from the reference."""
    unit, n = 2.0**-24, x.shape[1]
    scaled = abs(reference(x, gamma, np.zeros_like(beta), epsilon))
    depth = np.log2(min(n, TILE)) + 3 + 4 * ((n - 1) // TILE)  # roundings in a sum, and in putting tiles together
    wide = x.astype(np.float64)
    of_mean = depth * unit * abs(wide).mean(axis=1, keepdims=True) / np.sqrt(wide.var(axis=1, keepdims=True) + epsilon)
    bound: np.ndarray = (
        (depth / 2 + 8) * unit * scaled + of_mean * (abs(gamma.astype(np.float64)) + scaled) + unit * abs(beta.astype(np.float64))
    )
    if x.dtype != np.float32:
        info = ml_dtypes.finfo(x.dtype)
        last = np.maximum(abs(reference(x, gamma, beta, epsilon)) * float(info.eps), float(info.smallest_subnormal)) / 2
        bound += last * (1 + 2.0**-8)
    return bound


def main() -> None:
    rng = np.random.default_rng(0)
    for dtype in [np.float32, np.float16, ml_dtypes.bfloat16]:
        for rows, n in [(1, 1), (3, 17), (64, 1024), (5, 5000), (2, 60_000)]:
            x = (rng.standard_normal((rows, n)) * 3 + 1).astype(dtype)
            gamma, beta = rng.uniform(0.5, 2, n).astype(dtype), rng.standard_normal(n).astype(dtype)
            error = abs(run(x, gamma, beta).astype(np.float64) - reference(x, gamma, beta))
            assert (error <= error_bound(x, gamma, beta)).all()
            cycles = layer_norm.last_launch.cycles
            print(f"{rows} rows of {n} {np.dtype(dtype)}s are within {error.max():.1e}; {cycles} simulated cycles")


if __name__ == "__main__":
    main()
