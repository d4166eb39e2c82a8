# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels that are synchronised correctly (random_kernels.py) have no finding and the right result, in adversarial mode, too.
Without one synchronisation call, a kernel whose result differs in some adversarial run, or that does not end there, has a finding in the
normal one."""

from dataclasses import dataclass

import numpy as np
import pytest
from pyasc.errors import CheckError
from random_kernels import Kernel
from support.kernel_file import load

SEEDS = range(4)


def run(kernel, written, **options):
    """The arrays afterwards, and the codes of the findings."""
    arrays = written.arrays()
    try:
        kernel.options(**options)[written.blocks](*arrays, written.rounds)
    except CheckError as error:
        return arrays, {d.code for d in error.diagnostics}
    return arrays, set()


def same(arrays, expected):
    return all(np.array_equal(a, e) for a, e in zip(arrays, expected, strict=True))


@dataclass
class Counts:
    """Of the kernels without a call."""

    removed: int = 0
    found: int = 0
    seen: int = 0  # in adversarial mode

    def __add__(self, other):
        return Counts(self.removed + other.removed, self.found + other.found, self.seen + other.seen)


def check(seed) -> Counts:
    written = Kernel(seed)
    expected, kernel = written.expected(), load(written.source()).kernel
    for options in ({}, {"check": "adversarial", "seed": seed}):
        arrays, found = run(kernel, written, **options)
        assert not found, (seed, options, found)
        assert same(arrays, expected), (seed, options)
    if not written.units:
        return Counts()
    unit = written.random.randint(1, written.units)
    broken = load(written.source(without=unit)).kernel
    arrays, found = run(broken, written)
    seen = False
    for k in SEEDS:
        arrays, codes = run(broken, written, check="adversarial", seed=k)
        seen |= bool(codes & {"S201", "S202", "M204"}) or not same(arrays, expected)
    assert found or not seen, f"seed {seed} without unit {unit}, {written.kinds[unit]}: no finding, and the result differs"
    return Counts(1, bool(found), seen)


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_random_kernels(first):
    counts = sum((check(seed) for seed in range(first, first + 50)), Counts())
    assert counts.found > counts.removed / 3 and counts.seen > counts.removed / 5, counts  # the generator puts in little that is not needed


@pytest.mark.long
@pytest.mark.parametrize("first", range(200, 10_000, 200))
def test_ten_thousand_random_kernels(first):
    for seed in range(first, first + 200):
        check(seed)
