# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The corpus in `twins`: every mistake is found, with the lines that it consists of and no others; no right kernel is flagged, and its
result is right. In adversarial mode a data race changes the result for some seed, and the right kernel is right for all of them."""

import importlib

import numpy as np
import pytest
from pyasc.errors import CheckError
from support.refusals import diagnostics_of, text_of
from twins.pair import marked_lines, pairs_of, twins_of

TOPICS = ["pipes", "within_pipes", "scalar_unit", "flags", "queues", "masks", "global_memory", "cores", "atomics", "data_cache"]
SEEDS = range(20)

FILES = [importlib.import_module(f"twins.{topic}") for topic in TOPICS]
TWINS = {file.__name__: twins_of(file) for file in FILES}
PAIRS = [pair for file in FILES for pair in pairs_of(file)]


def clean(pair):
    return TWINS[pair.kernel.__module__][0]


def racy(pair):
    return TWINS[pair.kernel.__module__][1]


def in_modes(pairs, needed):
    """A parametrisation over pairs and those modes of auto_sync that are `needed`."""
    cases = [(pair, auto_sync) for pair in pairs for auto_sync in (True, False) if needed(pair, auto_sync)]
    ids = [f"{pair.topic}-{pair.name}-{'auto_sync' if auto_sync else 'strict'}" for pair, auto_sync in cases]
    return pytest.mark.parametrize("pair, auto_sync", cases, ids=ids)


def is_fault(pair, auto_sync):
    return not (auto_sync and pair.by_compiler)


def assert_right(pair, **options):
    arrays = pair.arrays()
    pair.run(clean(pair), arrays, **options)
    np.testing.assert_array_equal(arrays[2], pair.expected())
    for got, before in zip(arrays[:1] if pair.words else arrays[:2], pair.arrays(), strict=False):
        np.testing.assert_array_equal(got, before)


def test_enough_of_them():
    assert len(PAIRS) >= 110
    assert len({pair.name for pair in PAIRS}) == len(PAIRS)


@in_modes(PAIRS, lambda pair, auto_sync: True)
def test_clean(pair, auto_sync):
    assert_right(pair, auto_sync=auto_sync)


@in_modes(PAIRS, lambda pair, auto_sync: True)
def test_clean_in_adversarial_mode(pair, auto_sync):
    for seed in SEEDS:
        assert_right(pair, auto_sync=auto_sync, check="adversarial", seed=seed)


@in_modes(PAIRS, is_fault)
def test_racy(pair, auto_sync):
    module = racy(pair)
    found = diagnostics_of(lambda: pair.run(module, pair.arrays(), auto_sync=auto_sync))
    assert [d.code for d in found] == [pair.code, *pair.more], found
    here, there = marked_lines(pair, "here"), marked_lines(pair, "there")
    sites = {note.span.line for note in found[0].notes if note.span.file == module.__file__ and note.text != "called from here"}
    assert {found[0].span.line} == here, found
    assert sites | here == here | there, (sites, there, found)
    assert found[0].help
    assert all(word in text_of(found[0]) for word in pair.says), text_of(found[0])


@in_modes(PAIRS, lambda pair, auto_sync: auto_sync and pair.by_compiler)
def test_ordered_by_the_device_compiler(pair, auto_sync):
    arrays = pair.arrays()
    pair.run(racy(pair), arrays)
    np.testing.assert_array_equal(arrays[2], pair.expected())


@in_modes(PAIRS, lambda pair, auto_sync: pair.races and not pair.unseen and is_fault(pair, auto_sync))
def test_a_data_race_changes_the_result(pair, auto_sync):
    arrays = pair.arrays()
    pair.run(racy(pair), arrays, auto_sync=auto_sync, check=False)  # in the order of the program
    expected, changed = arrays[2], 0
    for seed in SEEDS:
        arrays = pair.arrays()
        try:
            pair.run(racy(pair), arrays, auto_sync=auto_sync, check="adversarial", seed=seed)
        except CheckError:
            pass
        changed += (arrays[2] != expected).any()
    assert changed
