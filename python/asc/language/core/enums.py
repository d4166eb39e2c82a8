# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Enumerations, with Ascend C's names."""

from enum import IntEnum

from pyasc import _core


def _make(name, members, doc):
    enum = IntEnum(name, members, module=__name__)
    enum.__doc__ = doc
    return enum


_enums = {name: _make(name, members, doc) for name, members, doc in _core.enums()}
globals().update(_enums)
__all__ = list(_enums)
