# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Element types on the NumPy side: values that are worth testing, and equality of results.
import ml_dtypes
import numpy as np

NUMPY = {
    "bool_": np.dtype(np.bool_),
    "int8": np.dtype(np.int8),
    "int16": np.dtype(np.int16),
    "int32": np.dtype(np.int32),
    "int64": np.dtype(np.int64),
    "uint8": np.dtype(np.uint8),
    "uint16": np.dtype(np.uint16),
    "uint32": np.dtype(np.uint32),
    "uint64": np.dtype(np.uint64),
    "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "float32": np.dtype(np.float32),
    "float64": np.dtype(np.float64),
}
FLOATS = ("float16", "bfloat16", "float32", "float64")
_BITS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def bits(array: np.ndarray) -> np.ndarray:
    """The bit patterns of an array."""
    return array.view(_BITS[array.dtype.itemsize])


def special_values(dtype: str) -> np.ndarray:
    """Signed zeros, ones, extremes, subnormals, infinities and NaN of a float type; extremes and small values of an integer type."""
    t = NUMPY[dtype]
    if dtype == "bool_":
        return np.array([False, True])
    if dtype not in FLOATS:
        low, high = np.iinfo(t).min, np.iinfo(t).max
        return np.array([low, low + 1, 0, 1, 2, high - 1, high, high // 2, high // 2 + 1, -1 if low else 3], t)
    f = ml_dtypes.finfo(t)
    tiny, least = float(f.tiny), float(f.smallest_subnormal)
    values = [0.0, 1.0, 1.5, float(f.max), tiny, least, tiny - least, float(f.eps), np.inf, np.nan]
    return np.array(values + [-v for v in values], t)


def random_array(rng: np.random.Generator, dtype: str, size: int) -> np.ndarray:
    """A mixture of special values, ordinary numbers and random bit patterns."""
    t = NUMPY[dtype]
    if dtype == "bool_":
        return rng.integers(0, 2, size).astype(t)
    patterns = rng.integers(0, 256, size * t.itemsize, dtype=np.uint8).view(t)
    special = rng.choice(special_values(dtype), size)
    ordinary = (rng.standard_normal(size) * 8).astype(t) if dtype in FLOATS else rng.integers(0, 100, size).astype(t)
    kind = rng.integers(0, 3, size)
    return np.where(kind == 0, patterns, np.where(kind == 1, special, ordinary)).astype(t, copy=False)


def assert_same(got: np.ndarray, want: np.ndarray, what: str) -> None:
    """Bit equality; any NaN equals any NaN."""
    same = bits(got) == bits(want)
    if got.dtype.kind not in "iub":
        with np.errstate(invalid="ignore"):  # NumPy complains about signalling NaN of bfloat16
            same |= np.isnan(got) & np.isnan(want)
    if not same.all():
        i = int(np.flatnonzero(~same)[0])
        raise AssertionError(
            f"{what}: {np.count_nonzero(~same)} of {same.size} elements differ, first at {i}: got {got[i]!r}, want {want[i]!r}"
        )
