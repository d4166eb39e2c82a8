# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A slice of the fuzz in fuzz/: mutated kernels compile and run, or are refused with a code and a place; no crash, no hang."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "fuzz" / "source_text.py"


def fuzzer():
    spec = importlib.util.spec_from_file_location("source_text", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("seed", "programs"), [(1, 300), pytest.param(2, 20_000, marks=pytest.mark.long)])
def test_fuzz(seed, programs, tmp_path):
    outcomes, findings = fuzzer().run(seed, programs, tmp_path)
    assert findings == []
    assert outcomes.total() == programs
    assert len(outcomes) > 25 and outcomes["ran"] > programs // 100  # the mutations reach far, and not too far


def test_a_program_of_a_seed_is_always_the_same():
    module = fuzzer()
    pool = module.Pool(module.corpus())
    texts = [module.Mutator(pool, f"1/{n}").program() for n in range(20)]
    assert texts == [module.Mutator(pool, f"1/{n}").program() for n in range(20)]
    assert len(set(texts)) == 20
