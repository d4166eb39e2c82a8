# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of a kernel."""

from pyasc._core import GlobalTensor, LocalTensor, LocalTensorAuto

__all__ = ["GlobalTensor", "LocalTensor", "LocalTensorAuto"]
