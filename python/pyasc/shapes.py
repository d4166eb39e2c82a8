# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for the shapes of a kernel's inputs and outputs.

A rule is a function of the inputs' shapes, in their order, that returns the shape of the output, or a list with one for each of several
outputs. It refuses inputs by `assert condition, "reason"`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Shape = tuple[int, ...]
Rule = Callable[..., Any]


def like_first(*inputs: Shape) -> Shape:
    """Every output has the shape of the first input; the other inputs may have any."""
    return inputs[0]


def same(*inputs: Shape) -> Shape:
    """All inputs and outputs have one shape."""
    assert all(shape == inputs[0] for shape in inputs), "the inputs have to have the same shape"
    return inputs[0]


def rows(*inputs: Shape) -> Shape:
    """Every output has the shape of the first input; the other inputs have an element for each of its last dimension."""
    row = inputs[0][-1:] or (1,)
    assert all(shape == row for shape in inputs[1:]), f"the inputs after the first have to have the shape {row}, that of a row"
    return inputs[0]
