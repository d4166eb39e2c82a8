# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LayerNorm of the last dimension, with scale and bias in the same kernel.

"Fused" means that a row is normalised, scaled and shifted while it is in the unified buffer: it is read once and written once. The variance
is the mean of squared deviations and not E[x*x] - E[x]**2, in which two large numbers may cancel."""

import asc

from pyasc.kernels._rows import each_long_row, each_short_row, inverse_root, rowwise, total
from pyasc.kernels._tiles import TILE, load, store, view


@asc.jit
def sum_of_squares(tile, n):
    squares = asc.LocalTensorAuto(asc.float32, TILE)
    asc.mul(squares, tile, tile, n)
    return total(squares, n)


@rowwise("fused_layernorm_kernel", "x", "gamma", "beta", eps=1e-5)
@asc.jit
def fused_layernorm_kernel(
    x: asc.GlobalAddress,
    gamma: asc.GlobalAddress,
    beta: asc.GlobalAddress,
    z: asc.GlobalAddress,
    rows: asc.int64,
    inner: asc.int64,
    count: asc.int64,
    eps: float,
):
    """z = (x - mean(x)) / sqrt(variance(x) + eps) * gamma + beta for every row."""
    gammas, betas = view(gamma, inner), view(beta, inner)

    def long(row, target):
        s = 0.0
        for i in range(0, inner, TILE):
            n = min(TILE, inner - i)
            s += total(load(row[i], n, asc.float32), n)
        mean, squares = s / inner, 0.0
        for i in range(0, inner, TILE):
            n = min(TILE, inner - i)
            piece = load(row[i], n, asc.float32)
            asc.adds(piece, piece, -mean, n)
            squares += sum_of_squares(piece, n)
        scale = inverse_root(squares / inner + eps)
        for i in range(0, inner, TILE):
            n = min(TILE, inner - i)
            piece = load(row[i], n, asc.float32)
            asc.adds(piece, piece, -mean, n)
            asc.muls(piece, piece, scale, n)
            asc.mul(piece, piece, load(gammas[i], n, asc.float32), n)
            asc.add(piece, piece, load(betas[i], n, asc.float32), n)
            store(target[i], piece, n)

    if inner <= TILE:
        g, b = load(gammas, inner, asc.float32), load(betas, inner, asc.float32)

        def short(row):
            asc.adds(row, row, -total(row, inner) / inner, inner)
            asc.muls(row, row, inverse_root(sum_of_squares(row, inner) / inner + eps), inner)
            asc.mul(row, row, g, inner)
            asc.add(row, row, b, inner)

        each_short_row(x, z, rows, inner, count, short)
    else:
        each_long_row(x, z, rows, inner, long)
