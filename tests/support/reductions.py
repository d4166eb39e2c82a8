# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Reductions in NumPy as documented: trees of neighbours with missing leaves, and the first of the largest or smallest lanes. Rows are
# repeats; `on` tells which lanes take part.
import numpy as np


def tree(values: np.ndarray, on: np.ndarray, leaves: int, stored=lambda sums: sums) -> tuple[np.ndarray, np.ndarray]:
    """Sums of every `leaves` neighbours, rounded to the element type and `stored` after each addition; and which of them there are."""
    with np.errstate(all="ignore"):
        while leaves > 1:
            a, b, has_a, has_b = values[:, 0::2], values[:, 1::2], on[:, 0::2], on[:, 1::2]
            values = np.where(has_a & has_b, stored(a + b), np.where(has_a, a, b))
            on = has_a | has_b
            leaves //= 2
    return values, on


def first_extreme(values: np.ndarray, on: np.ndarray, largest: bool) -> tuple[np.ndarray, np.ndarray]:
    """Value and index of the first extreme lane of each row; a NaN is more extreme than anything. Rows without lanes: meaningless."""
    with np.errstate(all="ignore"):
        nan = np.isnan(values) & on
        filled = np.where(on & ~nan, values, values.dtype.type(-np.inf if largest else np.inf))
        best = filled.max(axis=1) if largest else filled.min(axis=1)
        candidates = np.where(nan.any(axis=1)[:, None], nan, on & (values == best[:, None]))
    index = candidates.argmax(axis=1)
    return values[np.arange(len(values)), index], index.astype(np.uint32)
