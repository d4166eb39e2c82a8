# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every racy twin is found, with the two lines that race and nothing else; no clean twin is flagged, and its result is right.
import numpy as np
import pytest
from support.kernel_file import load, marked_lines, without
from support.refusals import diagnostics_of
from twins import TWINS

both_modes = pytest.mark.parametrize("auto_sync", [True, False], ids=["auto_sync", "strict"])
each_twin = pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.name)


def run(twin, source: str) -> tuple[list, list]:
    """The arrays before and after."""
    rng = np.random.default_rng(7)
    before = [rng.integers(-99, 99, size).astype(np.float32) for size in (256, 256, 512)]
    after = [array.copy() for array in before]
    load(source).kernel[twin.blocks](*after)
    return before, after


def assert_clean(twin, source: str) -> None:
    (x, y, z), after = run(twin, source)
    result = twin.result(x, y, z)
    for got, want in zip(after, (x, y, np.concatenate([result, z[result.size :]])), strict=True):
        np.testing.assert_array_equal(got, want)


@both_modes
@each_twin
def test_clean(twin, auto_sync):
    assert_clean(twin, twin.source(auto_sync))


@pytest.mark.parametrize("twin", [twin for twin in TWINS if twin.by_compiler], ids=lambda twin: twin.name)
def test_ordered_by_the_device_compiler(twin):
    load(without(twin.source(auto_sync=True), "sync")).kernel[twin.blocks](*(np.ones(size, np.float32) for size in (256, 256, 512)))


RACY = [(twin, auto_sync) for twin in TWINS for auto_sync in (True, False) if not (auto_sync and twin.by_compiler)]


@pytest.mark.parametrize("twin, auto_sync", RACY, ids=[f"{twin.name}-{'auto_sync' if auto_sync else 'strict'}" for twin, auto_sync in RACY])
def test_racy(twin, auto_sync):
    source = without(twin.source(auto_sync), "sync")
    lines = marked_lines(source)
    found = diagnostics_of(lambda: run(twin, source))
    assert [d.code for d in found] == [twin.code], found
    assert {found[0].span.line, *(note.span.line for note in found[0].notes if note.span.line)} == {lines["first"], lines["second"]}, found
    assert found[0].help
