# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RMSNorm of the last dimension: LayerNorm without mean and bias."""

import asc

from pyasc.kernels._rows import each_long_row, each_short_row, inverse_root, rowwise
from pyasc.kernels._tiles import TILE, load, store, view
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
        squares = 0.0
        for i in range(0, inner, TILE):
            n = min(TILE, inner - i)
            squares += sum_of_squares(load(row[i], n, asc.float32), n)
        scale = inverse_root(squares / inner + eps)
        for i in range(0, inner, TILE):
            n = min(TILE, inner - i)
            piece = load(row[i], n, asc.float32)
            asc.muls(piece, piece, scale, n)
            asc.mul(piece, piece, load(gammas[i], n, asc.float32), n)
            store(target[i], piece, n)

    if inner <= TILE:
        g = load(gammas, inner, asc.float32)

        def short(row):
            asc.muls(row, row, inverse_root(sum_of_squares(row, inner) / inner + eps), inner)
            asc.mul(row, row, g, inner)

        each_short_row(x, z, rows, inner, count, short)
    else:
        each_long_row(x, z, rows, inner, long)
