# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the kernels of this folder share: pieces of an array on their way into the unified buffer and out of it."""

import asc

TILE = 8192  # elements of a piece; six of float32 fill the unified buffer


@asc.jit
def view(address, count):
    array = asc.GlobalTensor()
    array.set_global_buffer(address, count)
    return array


@asc.jit
def load(source, count, dtype):
    """`count` elements from the start of `source`, as `dtype`; data_copy_pad, because they need not fill blocks of 32 bytes."""
    tile = asc.LocalTensorAuto(source.dtype, TILE)
    copy = asc.DataCopyExtParams(1, count * source.dtype.sizeof(), 0, 0, 0)
    asc.data_copy_pad(tile, source, copy, asc.DataCopyPadExtParams(source.dtype, False, 0, 0, 0))
    if source.dtype == dtype:
        return tile
    converted = asc.LocalTensorAuto(dtype, TILE)
    asc.cast(converted, tile, asc.RoundMode.CAST_NONE, count)
    return converted


@asc.jit
def store(target, tile, count):
    """`count` elements to the start of `target`, in its dtype."""
    if tile.dtype == target.dtype:
        rounded = tile
    else:
        rounded = asc.LocalTensorAuto(target.dtype, TILE)
        asc.cast(rounded, tile, asc.RoundMode.CAST_RINT, count)
    asc.data_copy_pad(target, rounded, asc.DataCopyExtParams(1, count * target.dtype.sizeof(), 0, 0, 0))
