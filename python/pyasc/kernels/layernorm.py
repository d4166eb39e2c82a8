# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LayerNorm of the last dimension, with scale and bias in the same kernel.

"Fused" means that a row is normalised, scaled and shifted while it is in the unified buffer: it is read once and written once. The variance
is the mean of squared deviations and not E[x*x] - E[x]**2, in which two large numbers may cancel."""

import asc

from pyasc.kernels._rows import each_long_row, each_piece, each_short_row, inverse_root, rowwise, total, whole
from pyasc.kernels._tiles import TILE, view


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
        def add_up(s, piece, n):
            return s + total(piece, n)

        mean = each_piece((row,), inner, add_up, 0.0) / inner

        def add_squares(s, piece, n):
            asc.adds(piece, piece, -mean, n)
            return s + sum_of_squares(piece, n)

        scale = inverse_root(each_piece((row,), inner, add_squares, 0.0) / inner + eps)

        def scaled(_, piece, g, b, n):
            asc.adds(piece, piece, -mean, n)
            asc.muls(piece, piece, scale, n)
            asc.mul(piece, piece, g, n)
            asc.add(piece, piece, b, n)

        each_piece((row, gammas, betas), inner, scaled, target=target)

    if inner <= TILE:
        g, b = whole(gammas, inner), whole(betas, inner)

        def short(row):
            asc.adds(row, row, -total(row, inner) / inner, inner)
            asc.muls(row, row, inverse_root(sum_of_squares(row, inner) / inner + eps), inner)
            asc.mul(row, row, g, inner)
            asc.add(row, row, b, inner)

        each_short_row(x, z, rows, inner, count, short)
    else:
        each_long_row(x, z, rows, inner, long)
