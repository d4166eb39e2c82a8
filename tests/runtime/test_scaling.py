# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Times grow in proportion to sizes. The limit lies between proportion (exponent 1, and less with a fixed part) and a square (exponent 2).
import importlib.util
import sys
from pathlib import Path

import pytest

SPEC = importlib.util.spec_from_file_location("scaling", Path(__file__).parents[2] / "bench" / "scaling.py")
scaling = sys.modules["scaling"] = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(scaling)

LIMIT = 1.6


@pytest.mark.plain_build
@pytest.mark.parametrize(
    "measure, sizes",
    [
        (scaling.compile_by_statements, (500, 4000)),
        (scaling.compile_by_arguments, (8, 64)),
        (scaling.launch_by_arguments, (8, 64)),
        (scaling.launch_by_blocks, (256, 4096)),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_times_grow_in_proportion(measure, sizes):
    series = measure(sizes, times=5)
    assert series.growth < LIMIT, {size: f"{seconds * 1e6:.0f} us" for size, seconds in series.seconds.items()}
