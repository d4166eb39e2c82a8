# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the kernels of this folder share: pieces of an array on their way into the unified buffer and out of it.

Two sets of tiles take turns: MTE2 fills one while the vector unit works on the other, and MTE3 stores what was there before. The compiler
places the flags between them, because each tile is a tensor of its own."""

import asc

TILE = 8192  # elements of a tile, for kernels that need few of them
PIECE = 4096  # for those that need many


@asc.jit
def view(address, count):
    array = asc.GlobalTensor()
    array.set_global_buffer(address, count)
    return array


@asc.jit
def copy_in(tile, source, count):
    """tile = the first `count` elements of `source`; data_copy_pad, because they need not fill blocks of 32 bytes."""
    copy = asc.DataCopyExtParams(1, count * source.dtype.sizeof(), 0, 0, 0)
    asc.data_copy_pad(tile, source, copy, asc.DataCopyPadExtParams(source.dtype, False, 0, 0, 0))


@asc.jit
def copy_out(target, tile, count):
    asc.data_copy_pad(target, tile, asc.DataCopyExtParams(1, count * target.dtype.sizeof(), 0, 0, 0))


@asc.jit
def widened(tile, count, dtype, size):
    """The elements of a tile as `dtype`: the tile itself, or one more, of `size` elements."""
    if tile.dtype == dtype:
        return tile
    converted = asc.LocalTensorAuto(dtype, size)
    asc.cast(converted, tile, asc.RoundMode.CAST_NONE, count)
    return converted


@asc.jit
def narrow(tile, result, count):
    """tile = result, rounded to the type of the tile; nothing to do if it is the tile."""
    if tile.dtype != result.dtype:
        asc.cast(tile, result, asc.RoundMode.CAST_RINT, count)


@asc.jit
def take_turns(sets, first, last, step, load, work, result=None):
    """result = work(result, tiles, start, n) for the pieces of first to last, `step` each but the last; load(tiles, start, n) fills the
    tiles before, while there is work on the other set."""
    ping, pong = sets
    if first < last:
        load(ping, first, min(step, last - first))
    for start in range(first, last, 2 * step):
        second, third = start + step, start + 2 * step
        if second < last:
            load(pong, second, min(step, last - second))
        result = work(result, ping, start, min(step, last - start))
        if second < last:
            if third < last:
                load(ping, third, min(step, last - third))
            result = work(result, pong, second, min(step, last - second))
    return result
