# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constants of Ascend C, and their values in kernels: `asc.property(asc.ONE_BLK_SIZE)`."""

from typing import NamedTuple

from pyasc._core import DataType, property

from asc.language.core import dtype as _dtype


class Property(NamedTuple):
    """A constant of Ascend C: its name, element type and value."""

    name: str
    dtype: DataType
    value: int

    __asc_property__ = True


DEFAULT_C0_SIZE = Property("AscendC::DEFAULT_C0_SIZE", _dtype.int32, 32)
ONE_BLK_SIZE = Property("AscendC::ONE_BLK_SIZE", _dtype.int16, 32)
TOTAL_L1_SIZE = Property("AscendC::TOTAL_L1_SIZE", _dtype.int32, 512 * 1024)
TOTAL_L0C_SIZE = Property("AscendC::TOTAL_L0C_SIZE", _dtype.int32, 128 * 1024)
__all__ = ["DEFAULT_C0_SIZE", "ONE_BLK_SIZE", "TOTAL_L0C_SIZE", "TOTAL_L1_SIZE", "property"]
