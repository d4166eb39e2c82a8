# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RMSNorm of rows of any length: z = x / sqrt(mean(x * x) + epsilon) * weight.

Squares are added in float32, also those of float16, which `mul_add_dst` multiplies without rounding. A row is folded: its halves are
added until one block is left, whose elements the scalar unit adds. That is a tree of sums, with few roundings, and log2(n) instructions.
The inverse of the root is taken by `sqrt` and `div`, not by `rsqrt`: the device takes that from a table with 10 good bits.

Error, relative to the exact result (or to the smallest normal number, where that is larger): at most (log2(n) / 2 + 12) * 2^-24 for
float32, half of it from the sums, the rest from the seven roundings after them; 2^-9 for float16, from rounding the inverse root, the
product with it, and that with the weight. bfloat16 has no arithmetic on these cores.
"""

import asc
import numpy as np

CORES = 8
MOST = 8192  # elements of a row


@asc.jit
def sum_of_squares(x, squares, size: asc.ConstExpr[int]):
    """The sum of x * x, over `size` elements: a power of two, at least 16."""
    asc.duplicate(squares, 0.0, size)
    asc.mul_add_dst(squares, x, x, size)
    half = size // 2
    while half >= 8:
        asc.add(squares, squares, squares[half], half)
        half = half // 2
    total = squares.get_value(0)
    for i in asc.static_range(1, 8):
        total += squares.get_value(i)
    return total


@asc.jit
def normalise(
    x: asc.GlobalAddress,
    weight: asc.GlobalAddress,
    z: asc.GlobalAddress,
    rows: int,
    epsilon: float,
    width: asc.ConstExpr[int] = 64,
    size: asc.ConstExpr[int] = 64,
):
    dtype = x.dtype
    row_bytes = width * dtype.sizeof()
    copy = asc.DataCopyExtParams(1, row_bytes, 0, 0, 0)
    fill = asc.DataCopyPadExtParams(dtype, False, 0, 0, 0)
    share = asc.ceildiv(rows, asc.get_block_num())
    start = share * asc.get_block_idx()
    mine = max(0, min(share, rows - start))
    x_gm, weight_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + start * width, mine * width)
    weight_gm.set_global_buffer(weight, width)
    z_gm.set_global_buffer(z + start * width, mine * width)

    weights = asc.LocalTensorAuto(dtype, size)
    row = asc.LocalTensorAuto(dtype, size)
    squares = asc.LocalTensorAuto(asc.float32, size)
    one = asc.LocalTensorAuto(asc.float32, 8)
    root = asc.LocalTensorAuto(asc.float32, 8)
    asc.data_copy_pad(weights, weight_gm, copy, fill)
    asc.duplicate(one, 1.0, 8)
    asc.duplicate(row, 0.0, size)  # what lies behind the row adds nothing
    for i in range(mine):
        asc.data_copy_pad(row, x_gm[i * width], copy, fill)
        if row_bytes % 32 != 0:  # of the last block, data_copy_pad has filled the rest with what it likes
            for k in asc.static_range(width, asc.ceildiv(row_bytes, 32) * 32 // dtype.sizeof()):
                row.set_value(k, 0.0)
        asc.duplicate(root, sum_of_squares(row, squares, size), 8)
        asc.muls(root, root, 1 / width, 8)
        asc.adds(root, root, epsilon, 8)
        asc.sqrt(root, root, 8)
        asc.div(root, one, root, 8)
        asc.muls(row, row, root.get_value(0), width)
        asc.mul(row, row, weights, width)
        asc.data_copy_pad(z_gm[i * width], row, copy)


def run(x: np.ndarray, weight: np.ndarray, epsilon: float = 1e-6, cores: int = CORES) -> np.ndarray:
    """The rows of a matrix of float16 or float32, normalised."""
    width = x.shape[1]
    assert width <= MOST
    size = max(16, 1 << (width - 1).bit_length())
    z = np.empty_like(x)
    normalise[cores](x, weight, z, len(x), epsilon, width, size)
    return z


def reference(x: np.ndarray, weight: np.ndarray, epsilon: float = 1e-6) -> np.ndarray:
    """The same in float64."""
    x, weight = x.astype(np.float64), weight.astype(np.float64)
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + epsilon) * weight


def largest_error(z: np.ndarray, exact: np.ndarray) -> float:
    return (abs(z - exact) / np.maximum(abs(exact), float(np.finfo(z.dtype).tiny))).max(initial=0)


def error_bound(dtype, width: int) -> float:
    return 2.0**-9 if dtype == np.float16 else (np.log2(width) / 2 + 12) * 2.0**-24


def main():
    rng = np.random.default_rng(0)
    for dtype in [np.float16, np.float32]:
        for rows, width in [(1, 1), (3, 17), (40, 64), (5, 1000), (9, 4096), (2, 8191)]:
            x = rng.standard_normal((rows, width)).astype(dtype)
            weight = rng.uniform(0.5, 2, width).astype(dtype)
            error = largest_error(run(x, weight), reference(x, weight))
            assert error <= error_bound(dtype, width)
            print(f"{rows} rows of {width} {np.dtype(dtype)}s, error {error:.1e}; {normalise.last_launch.cycles} simulated cycles")


if __name__ == "__main__":
    main()
