# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A slice of the fuzz in fuzz/: damaged `.kernel` files, payloads and data are refused or run; no crash, no hang."""

import json
import subprocess
import sys

import pytest
from support.commands import ROOT


@pytest.mark.parametrize(("seed", "mutants"), [(1, 2000), pytest.param(2, 100_000, marks=pytest.mark.long)])
def test_fuzz(seed, mutants, tmp_path):
    last = tmp_path / "last"
    command = [sys.executable, ROOT / "fuzz" / "kernel_file.py", "--seed", str(seed), "--mutants", str(mutants), "--last", last]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3600)
    assert done.returncode in (0, 1), f"mutant {last.read_text()} of seed {seed} ended the process: {done.stderr[-2000:]}"
    told = json.loads(done.stdout)
    assert told["findings"] == []
    outcomes = told["outcomes"]
    assert sum(outcomes.values()) == mutants
    # The damage reaches far, and not too far.
    assert len(outcomes) > 20 and outcomes["program: ran"] > mutants // 100 and outcomes["file: C301"] > mutants // 20
