# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Element formulas where NumPy alone does not say what the hardware does.
import ml_dtypes
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


def relu(a: np.ndarray) -> np.ndarray:
    """The positive part: +0 for -0, NaN for NaN."""
    return maximum(a, np.zeros_like(a))


def divided(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The quotient, rounded once: that of float16 is computed in float64."""
    return np.divide(a, b) if a.dtype == np.float32 else np.divide(a.astype(np.float64), b.astype(np.float64)).astype(a.dtype)


def exponential(a: np.ndarray) -> np.ndarray:
    """e**a by float64, which is right unless e**a is within 2**-50 of the middle of two values."""
    return np.exp(a.astype(np.float64)).astype(a.dtype)


def leaky_relu(a: np.ndarray, slope: np.ndarray) -> np.ndarray:
    return np.where(a >= 0, a, slope * a)


def shifted_left(a: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """Unsigned: the low bits of a << distance. Signed: those below the sign bit, and the sign of a."""
    width = 8 * a.itemsize
    shifted = (a.astype(np.uint64) << distance.astype(np.uint64)) & np.uint64(2**width - 1)
    if a.dtype.kind == "u":
        return shifted.astype(a.dtype)
    low = (shifted & np.uint64(2 ** (width - 1) - 1)).astype(np.int64)
    return np.where(a < 0, low - 2 ** (width - 1), low).astype(a.dtype)


def shifted_right(a: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """Rounded down: the sign fills signed elements, zero unsigned ones."""
    return (a.astype(np.int64) >> distance.astype(np.int64)).astype(a.dtype)


def rounded_to(dtype: str, a: np.ndarray) -> np.ndarray:
    """Conversion: to nearest even; integers saturate and take 0 for NaN."""
    t = np.dtype(dtype)
    if t.kind == "f":
        return a.astype(t)
    whole = np.where(np.isnan(a), 0, np.rint(a.astype(np.float64)))
    return np.clip(whole, np.iinfo(t).min, np.iinfo(t).max).astype(t)


def saturated(a: np.ndarray) -> np.ndarray:
    """Results of 16 bits with bit 48 of the control register off: the largest number for Inf, 0 for NaN."""
    if a.dtype not in (np.float16, ml_dtypes.bfloat16):
        return a
    most = ml_dtypes.finfo(a.dtype).max
    return np.where(np.isnan(a), a.dtype.type(0), np.clip(a, -most, most)).astype(a.dtype)
