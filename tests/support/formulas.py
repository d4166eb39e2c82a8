# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Element formulas where NumPy alone does not say what the hardware does.
import numpy as np


def maximum(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The larger one; +0 is larger than -0; NaN if either is NaN."""
    if a.dtype.kind in "iu":
        return np.maximum(a, b)
    larger = np.where(a == b, np.where(np.signbit(a), b, a), np.where(a > b, a, b))
    return np.where(np.isnan(a) | np.isnan(b), a.dtype.type(np.nan), larger)


def minimum(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The smaller one; -0 is smaller than +0; NaN if either is NaN."""
    if a.dtype.kind in "iu":
        return np.minimum(a, b)
    smaller = np.where(a == b, np.where(np.signbit(a), a, b), np.where(a < b, a, b))
    return np.where(np.isnan(a) | np.isnan(b), a.dtype.type(np.nan), smaller)
