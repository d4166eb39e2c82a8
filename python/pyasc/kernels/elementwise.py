# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that compute each element by itself.

A block has `count` elements from `count * get_block_idx()` on, the last block what is left, and works through them tile by tile. All of
that is `each_tile`, once; a kernel only says what happens to a tile, because that is all in which they differ.

float32 and float16 are computed as they are. The vector unit has no arithmetic for bfloat16, so it becomes float32 on the way in, which is
exact, and is rounded once on the way out: sums, differences, products and quotients are the nearest bfloat16, as if there were one."""

import math

import asc

from pyasc import shapes, tiling
from pyasc.kernels._tiles import TILE, copy_in, copy_out, narrow, take_turns, view, widened
from pyasc.registry import kernel

FLOATS = "float32", "float16", "bfloat16"


@asc.jit
def each_tile(inputs, output, total, count, dtype, compute):
    """output = what `compute(*inputs, n)` makes of the first input, in the arithmetic of `dtype`; it may use up the others."""
    start = count * asc.get_block_idx()
    mine = max(0, min(count, total - start))
    sources = [view(source + start, mine) for source in inputs]
    target = view(output + start, mine)

    def load(tiles, i, n):
        for tile, source in zip(tiles, sources, strict=True):
            copy_in(tile, source[i], n)

    def work(_, tiles, i, n):
        wide = [widened(tile, n, dtype, TILE) for tile in tiles]
        compute(*wide, n)
        narrow(tiles[0], wide[0], n)
        copy_out(target[i], tiles[0], n)

    sets = [[asc.LocalTensorAuto(source.dtype, TILE) for source in sources] for _ in range(2)]
    take_turns(sets, 0, mine, TILE, load, work)


@asc.jit
def arithmetic(dtype):
    return asc.float32 if dtype == asc.bfloat16 else dtype


@asc.jit
def binary(x, y, z, total, count, instruction):
    def compute(a, b, n):
        instruction(a, a, b, n)

    each_tile((x, y), z, total, count, arithmetic(x.dtype), compute)


def elementwise(name, *inputs):
    return kernel(name, inputs=inputs, outputs=("z",), dtypes=FLOATS, shapes=shapes.same, tiling=tiling.elementwise)


@elementwise("vec_add_kernel", "x", "y")
@asc.jit
def vec_add_kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, total: asc.int64, count: asc.int64):
    """z = x + y, the nearest number of the type."""
    binary(x, y, z, total, count, asc.add)


@elementwise("vec_sub_kernel", "x", "y")
@asc.jit
def vec_sub_kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, total: asc.int64, count: asc.int64):
    """z = x - y, the nearest number of the type."""
    binary(x, y, z, total, count, asc.sub)


@elementwise("vec_mul_kernel", "x", "y")
@asc.jit
def vec_mul_kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, total: asc.int64, count: asc.int64):
    """z = x * y, the nearest number of the type."""
    binary(x, y, z, total, count, asc.mul)


@elementwise("vec_div_kernel", "x", "y")
@asc.jit
def vec_div_kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, total: asc.int64, count: asc.int64):
    """z = x / y, the nearest number of the type."""
    binary(x, y, z, total, count, asc.div)


@elementwise("relu_kernel", "x")
@asc.jit
def relu_kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, total: asc.int64, count: asc.int64):
    """z = max(x, 0)."""

    def compute(a, n):
        asc.relu(a, a, n)

    each_tile((x,), z, total, count, arithmetic(x.dtype), compute)


B = -2 * math.sqrt(2 / math.pi)
A = B * 0.044715


@elementwise("gelu_kernel", "x")
@asc.jit
def gelu_kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, total: asc.int64, count: asc.int64):
    """z = x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x**3))), the form with tanh.

    It is computed as x / (1 + exp(x * (A * x**2 + B))), in float32 for every type: nothing cancels, where exp overflows the quotient is the
    0 that it should be, and float16 would lose the digits of x**3."""

    def compute(a, n):
        e = asc.LocalTensorAuto(asc.float32, TILE)
        asc.mul(e, a, a, n)
        asc.muls(e, e, A, n)
        asc.adds(e, e, B, n)
        asc.mul(e, e, a, n)
        asc.exp(e, e, n)
        asc.adds(e, e, 1.0, n)
        asc.div(a, a, e, n)

    each_tile((x,), z, total, count, asc.float32, compute)
