# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax of the last dimension.

The largest element must be known before the first exponential: with it subtracted no exponential overflows, and the sum is at least 1. The
scalar unit passes both numbers on, so nothing has to be broadcast."""

import math

import asc

from pyasc.kernels._rows import each_long_row, each_piece, each_short_row, largest, rowwise, total
from pyasc.kernels._tiles import TILE


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
        def most(m, piece, n):
            return max(m, largest(piece, n))

        m = each_piece((row,), inner, most, -math.inf)

        def sum_of_exponentials(s, piece, n):
            exponentials(piece, m, n)
            return s + total(piece, n)

        s = each_piece((row,), inner, sum_of_exponentials, 0.0)

        def quotients(_, piece, n):
            exponentials(piece, m, n)
            asc.muls(piece, piece, 1.0 / s, n)

        each_piece((row,), inner, quotients, target=target)

    if inner <= TILE:
        each_short_row(x, z, rows, inner, count, short)
    else:
        each_long_row(x, z, rows, inner, long)
