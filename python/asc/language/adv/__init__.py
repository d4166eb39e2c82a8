# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the library that stand above the instructions."""

from asc.language.adv import sort

__all__ = sort.__all__
globals().update({name: getattr(sort, name) for name in sort.__all__})
