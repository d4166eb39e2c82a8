# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A vector instruction in NumPy, element by element as documented: repeats, masks, block and repeat strides, counter mode.
from dataclasses import dataclass

import numpy as np

BLOCK_BYTES = 32
REPEAT_BYTES = 256
BLOCKS = REPEAT_BYTES // BLOCK_BYTES


@dataclass
class Operand:
    """A tensor operand: its elements from `base` on, strides in 32-byte blocks."""

    data: np.ndarray
    base: int = 0
    block_stride: int = 1
    repeat_stride: int = BLOCKS

    def elements(self, repeat: int, lanes: np.ndarray) -> np.ndarray:
        per_block = BLOCK_BYTES // self.data.itemsize
        blocks = repeat * self.repeat_stride + lanes // per_block * self.block_stride
        return self.base + blocks * per_block + lanes % per_block


def lanes_of(itemsize: int) -> int:
    """Elements of one repeat."""
    return REPEAT_BYTES // itemsize


def first_lanes(mask: int, itemsize: int) -> np.ndarray:
    """Lanes enabled by an integer mask: the first `mask` ones."""
    return np.arange(min(mask, lanes_of(itemsize)))


def lanes_of_bits(low: int, high: int, itemsize: int) -> np.ndarray:
    """Lanes enabled by a 128-bit mask."""
    mask = high << 64 | low
    return np.array([k for k in range(lanes_of(itemsize)) if mask >> k & 1], dtype=np.int64)


def execute(formula, dst: Operand, sources: list[Operand], lanes: np.ndarray, repeats: int) -> None:
    """Normal mode: repeats in order; within a repeat all sources are read before anything is written."""
    with np.errstate(all="ignore"):
        for r in range(repeats):
            dst.data[dst.elements(r, lanes)] = formula(*(s.data[s.elements(r, lanes)] for s in sources))


def execute_counted(formula, dst: Operand, sources: list[Operand], count: int) -> None:
    """Counter mode, also the meaning of the count forms: as many repeats as `count` elements need, the last one partial."""
    per_repeat = lanes_of(max(operand.data.itemsize for operand in (dst, *sources)))
    with np.errstate(all="ignore"):
        for r in range(-(-count // per_repeat)):
            lanes = np.arange(min(per_repeat, count - r * per_repeat))
            dst.data[dst.elements(r, lanes)] = formula(*(s.data[s.elements(r, lanes)] for s in sources))


def extent(dst_or_source: Operand, repeats: int) -> int:
    """Bytes from the operand's start to the end of its last full repeat."""
    if repeats == 0:
        return 0
    return ((repeats - 1) * dst_or_source.repeat_stride + (BLOCKS - 1) * dst_or_source.block_stride + 1) * BLOCK_BYTES
