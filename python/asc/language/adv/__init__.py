# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the library that stand above the instructions, the multiplication of matrices, and the structures that they are given."""

from asc.language.adv import matmul, sort, tiling

__all__ = matmul.__all__ + sort.__all__ + tiling.__all__
globals().update({name: getattr(module, name) for module in (matmul, sort, tiling) for name in module.__all__})
