# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the kernels on rows share. They compute in float32 whatever the element type, because sums of many elements need its digits.

Rows that fit into a tile come `count` at a time, in one transfer, and are read once. A longer row comes in tiles, once for each pass over
it."""

import asc

from pyasc import shapes, tiling
from pyasc.kernels._tiles import PIECE, TILE, copy_in, copy_out, narrow, take_turns, view, widened
from pyasc.kernels.elementwise import FLOATS
from pyasc.registry import kernel

LANES = 64  # float32 of a repeat


def rowwise(name, *inputs, **attributes):
    rule = tiling.rowwise(TILE)
    return kernel(name, inputs=inputs, outputs=("z",), attributes=attributes, dtypes=FLOATS, shapes=shapes.rows, tiling=rule)


@asc.jit
def share_of(rows):
    """The rows of this block: the first, and the one behind the last. Shares differ by one row at most."""
    number, blocks = asc.get_block_idx(), asc.get_block_num()
    return rows * number // blocks, rows * (number + 1) // blocks


@asc.jit
def pitch_of(inner, dtype):
    """Elements from one row to the next in a tile, where rows begin at blocks of 32 bytes."""
    block = 32 // dtype.sizeof()
    return asc.ceildiv(inner, block) * block


@asc.jit
def each_short_row(x, z, rows, inner, count, compute):
    """z = compute(x), row by row; compute works in place, on a tile of float32 with `inner` elements."""
    first, last = share_of(rows)
    x_rows, z_rows = view(x, rows * inner), view(z, rows * inner)
    pitch = pitch_of(inner, x.dtype)

    def load(tile, start, n):
        copy = asc.DataCopyExtParams(n, inner * x.dtype.sizeof(), 0, 0, 0)
        asc.data_copy_pad(tile, x_rows[start * inner], copy, asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))

    def work(_, tile, start, n):
        for r in range(n):
            row = widened(tile[r * pitch], inner, asc.float32, TILE)
            compute(row)
            narrow(tile[r * pitch], row, inner)
        asc.data_copy_pad(z_rows[start * inner], tile, asc.DataCopyExtParams(n, inner * x.dtype.sizeof(), 0, 0, 0))

    take_turns([asc.LocalTensorAuto(x.dtype, TILE) for _ in range(2)], first, last, count, load, work)


@asc.jit
def whole(array, inner):
    """What every row is combined with, as float32, in a tile."""
    tile = asc.LocalTensorAuto(array.dtype, TILE)
    copy_in(tile, array, inner)
    return widened(tile, inner, asc.float32, TILE)


@asc.jit
def each_long_row(x, z, rows, inner, compute):
    """compute(row, target), row by row, with views of the arrays."""
    first, last = share_of(rows)
    for r in range(first, last):
        compute(view(x + r * inner, inner), view(z + r * inner, inner))


@asc.jit
def each_piece(sources, inner, compute, result=None, target=None):
    """result = compute(result, *tiles, n) for the pieces of views of `inner` elements, as float32. With a target, what is then in the first
    tile goes there."""

    def load(tiles, i, n):
        for tile, source in zip(tiles, sources, strict=True):
            copy_in(tile, source[i], n)

    def work(result, tiles, i, n):
        wide = [widened(tile, n, asc.float32, PIECE) for tile in tiles]
        result = compute(result, *wide, n)
        if target is not None:
            narrow(tiles[0], wide[0], n)
            copy_out(target[i], tiles[0], n)
        return result

    sets = [[asc.LocalTensorAuto(source.dtype, PIECE) for source in sources] for _ in range(2)]
    return take_turns(sets, 0, inner, PIECE, load, work, result)


# ---------------------------------------------------------------- reductions of float32 to a number of the scalar unit


@asc.jit
def reduced(instruction, tile, *how):
    result, work = asc.LocalTensorAuto(asc.float32, 8), asc.LocalTensorAuto(asc.float32, 256)
    instruction(result, tile, work, *how)
    return result.get_value(0)


@asc.jit
def largest(tile, n):
    return reduced(asc.reduce_max, tile, n)


@asc.jit
def total(tile, n):
    """The sum of n elements, as a tree: whole repeats, and what is left of them. A tree rounds each element about log2(n) times, a loop n
    times."""
    whole = n // LANES
    left = n - whole * LANES
    s = 0.0
    if whole > 0:
        s = reduced(asc.reduce_sum, tile, LANES, whole, 8)
    if left > 0:
        s += reduced(asc.reduce_sum, tile[whole * LANES], left, 1, 8)
    return s


@asc.jit
def inverse_root(x):
    """1 / sqrt(x) of a number. Not by rsqrt: the device takes that from a table with 10 good bits."""
    root, one = asc.LocalTensorAuto(asc.float32, 8), asc.LocalTensorAuto(asc.float32, 8)
    asc.duplicate(root, x, 8)
    asc.duplicate(one, 1.0, 8)
    asc.sqrt(root, root, 8)
    asc.div(root, one, root, 8)
    return root.get_value(0)
