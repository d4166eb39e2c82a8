# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax of the last dimension.

The largest element must be known before the first exponential: with it subtracted no exponential overflows, and the sum is at least 1. The
scalar unit passes both numbers on, so nothing has to be broadcast."""

import math

import asc

from pyasc.kernels._rows import each_long_row, each_short_row, largest, rowwise, total
from pyasc.kernels._tiles import TILE, load, store


@asc.jit
def exponentials(tile, m, n):
    """tile = exp(tile - m)."""
    asc.adds(tile, tile, -m, n)
    asc.exp(tile, tile, n)


@rowwise("softmax_kernel", "x")
@asc.jit
def softmax_kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: asc.int64, inner: asc.int64, count: asc.int64):
    """z = exp(x - max(x)) / sum(exp(x - max(x))) for every row."""

    def short(row):
        exponentials(row, largest(row, inner), inner)
        asc.muls(row, row, 1.0 / total(row, inner), inner)

    def long(row, target):
        m, s = -math.inf, 0.0
        for i in range(0, inner, TILE):
            n = min(TILE, inner - i)
            m = max(m, largest(load(row[i], n, asc.float32), n))
        for i in range(0, inner, TILE):
            n = min(TILE, inner - i)
            piece = load(row[i], n, asc.float32)
            exponentials(piece, m, n)
            s += total(piece, n)
        for i in range(0, inner, TILE):
            n = min(TILE, inner - i)
            piece = load(row[i], n, asc.float32)
            exponentials(piece, m, n)
            asc.muls(piece, piece, 1.0 / s, n)
            store(target[i], piece, n)

    if inner <= TILE:
        each_short_row(x, z, rows, inner, count, short)
    else:
        each_long_row(x, z, rows, inner, long)
