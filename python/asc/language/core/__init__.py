# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types, tensors, enumerations, parameter structures, compile-time values and loop markers."""

from asc.language.core import array as _array
from asc.language.core import constexpr, dtype, enums, ir_value, memory_allocator, ops, properties, range, struct, tensor, types, utils

_modules = (_array, constexpr, dtype, enums, ir_value, memory_allocator, ops, properties, range, struct, tensor, types, utils)
__all__ = [name for module in _modules for name in module.__all__]
globals().update({name: getattr(module, name) for module in _modules for name in module.__all__})
