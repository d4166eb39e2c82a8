# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RMSNorm of the last dimension: LayerNorm without mean and bias."""

import asc

from pyasc.kernels._rows import each_long_row, each_piece, each_short_row, inverse_root, rowwise, whole
from pyasc.kernels._tiles import TILE, view
from pyasc.kernels.layernorm import sum_of_squares


@rowwise("rmsnorm_kernel", "x", "gamma", eps=1e-6)
@asc.jit
def rmsnorm_kernel(
    x: asc.GlobalAddress,
    gamma: asc.GlobalAddress,
    z: asc.GlobalAddress,
    rows: asc.int64,
    inner: asc.int64,
    count: asc.int64,
    eps: float,
):
    """z = x / sqrt(mean(x * x) + eps) * gamma for every row."""
    gammas = view(gamma, inner)

    def long(row, target):
        def add_squares(s, piece, n):
            return s + sum_of_squares(piece, n)

        scale = inverse_root(each_piece((row,), inner, add_squares, 0.0) / inner + eps)

        def scaled(_, piece, g, n):
            asc.muls(piece, piece, scale, n)
            asc.mul(piece, piece, g, n)

        each_piece((row, gammas), inner, scaled, target=target)

    if inner <= TILE:
        g = whole(gammas, inner)

        def short(row):
            asc.muls(row, row, inverse_root(sum_of_squares(row, inner) / inner + eps), inner)
            asc.mul(row, row, g, inner)

        each_short_row(x, z, rows, inner, count, short)
    else:
        each_long_row(x, z, rows, inner, long)
