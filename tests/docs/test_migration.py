# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of arithmetic on the migration page is true: every expression has the value and dtype in its last column."""

import re
from pathlib import Path

import numpy as np
import pytest
from support.python_kernel import kernel_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "migration.md"
ROW = re.compile(r"^\| `([^`]+)` \| `([^`]+)` \| .* \| (\S+) \((\w+)\) \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text())


def arguments(text):
    """'x = int32(4), f = float32(nan)' as NumPy scalars by name."""
    return {name: getattr(np, dtype)(value) for name, dtype, value in re.findall(r"(\w+) = (\w+)\(([^)]+)\)", text)}


@pytest.mark.parametrize(("expression", "given", "value", "dtype"), ROWS, ids=[row[0] for row in ROWS])
@pytest.mark.filterwarnings("ignore:.*T202")
def test_row(expression, given, value, dtype, capsys):
    values = arguments(given)
    kernel = kernel_of(f"asc.static_assert(str(({expression}).dtype) == {dtype!r})\nprint({expression})", ", ".join(values))
    kernel[1](np.zeros(64, np.int32), *values.values())
    assert float(capsys.readouterr().out) == float(value)


def test_the_table_is_read():
    assert len(ROWS) > 20
