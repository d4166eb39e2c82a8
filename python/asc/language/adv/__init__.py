# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the library that stand above the instructions, and the structures that they are given."""

from asc.language.adv import sort, tiling

__all__ = sort.__all__ + tiling.__all__
globals().update({name: getattr(module, name) for module in (sort, tiling) for name in module.__all__})
