# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors that a kernel gets as one argument, a Python list of arrays."""

from pyasc._core import ListTensorDesc, TensorDesc

__all__ = ["ListTensorDesc", "TensorDesc"]
