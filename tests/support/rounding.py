# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Conversion with a rounding mode in NumPy, as the specification writes it: a number is cut into steps of the result, the steps are
# rounded to an integer. What cannot overflow or be inexact in float64 is computed there; int64 in the 64 bits of a long double.
import ml_dtypes
import numpy as np
from support.dtypes import FLOATS, NUMPY

MODES = ("CAST_NONE", "CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC", "CAST_ODD")
FIVE = MODES[1:6]
_MANTISSA, _LOWEST = {"float16": 10, "bfloat16": 7, "float32": 23}, {"float16": -14, "bfloat16": -126, "float32": -126}


def to_integer(x: np.ndarray, mode: str) -> np.ndarray:
    """The integers that reals are rounded to."""
    match mode:
        case "CAST_FLOOR":
            return np.floor(x)
        case "CAST_CEIL":
            return np.ceil(x)
        case "CAST_TRUNC":
            return np.trunc(x)
        case "CAST_ROUND":
            whole = np.trunc(x)
            return whole + np.where(abs(x - whole) >= 0.5, np.sign(x), 0)
        case "CAST_ODD":
            whole = np.trunc(x)
            return whole + np.where((whole != x) & (np.mod(whole, 2) == 0), np.sign(x), 0)
    return np.rint(x)


def to_float(x: np.ndarray, dtype: str, mode: str) -> np.ndarray:
    """Reals as numbers of a float type; those beyond its range are still reals."""
    exponent = np.maximum(_LOWEST[dtype], np.frexp(x)[1] - 1) - _MANTISSA[dtype]
    return np.ldexp(to_integer(np.ldexp(x, -exponent), mode), exponent)


def converted(x: np.ndarray, dtype: str, mode: str) -> np.ndarray:
    """dst of a conversion to `dtype`."""
    t, is_float = NUMPY[dtype], x.dtype not in map(NUMPY.get, ("int8", "uint8", "int16", "int32", "int64"))
    with np.errstate(all="ignore"):
        real = x.astype(np.longdouble if x.dtype == np.int64 else np.float64)
        if dtype not in FLOATS:
            low, high = np.iinfo(t).min, np.iinfo(t).max
            if not is_float:
                return np.clip(x.astype(np.int64), low, high).astype(t)
            whole = to_integer(real, mode)
            inside = np.where((whole >= low) & (whole < float(high)), whole, 0).astype(np.int64)
            return np.where(np.isnan(x), 0, np.where(whole >= high, high, np.where(whole <= low, low, inside))).astype(t)
        if is_float and x.dtype == t:
            return np.where(np.isfinite(x), np.copysign(to_integer(real, mode), real), real).astype(t)
        most = float(ml_dtypes.finfo(t).max)
        result = np.where(np.isfinite(real), to_float(np.where(np.isfinite(real), real, 0), dtype, mode), real)
        inward = {"CAST_TRUNC": True, "CAST_ODD": True, "CAST_FLOOR": real > 0, "CAST_CEIL": real < 0}.get(mode, False)
        beyond = np.where(inward & np.isfinite(real), most, np.inf)
        result = np.where(abs(result) > most, np.copysign(beyond, real), np.copysign(result, real))
        return result.astype(np.float64).astype(t)
