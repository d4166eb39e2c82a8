# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `pyasc targets` and `pyasc doctor`.
import json
import os
import subprocess
import sys

import pytest
from pyasc import targets
from pyasc._core import chips


def command(*arguments, **environment):
    variables = {**os.environ, **environment}
    return subprocess.run([sys.executable, "-m", "pyasc", *arguments], capture_output=True, text=True, timeout=120, env=variables)


def test_table_of_chips():
    lines = command("targets").stdout.splitlines()[1:]
    assert [line.split()[0] for line in lines] == chips()
    assert lines[0].split() == ["Ascend910B1", "48", "1850", "192", "KiB", "512", "KiB", "192", "MiB", "1520", "GB/s"]


@pytest.mark.parametrize("name", ["Ascend910B1", "ascend910b1", "910B1", "ascend910", "Ascend910B", "910b", "910"])
def test_names_of_the_default_chip(name):
    assert targets.resolve(name) == "Ascend910B1"


def test_every_chip_is_found_by_its_name():
    assert [targets.resolve(chip.lower()) for chip in chips()] == chips()


def test_facts_of_a_chip():
    lines = command("targets", "910b4-1").stdout.splitlines()
    assert lines[0] == "Ascend910B4-1" and "  L0C            128 KiB" in lines and "  vector cores   40" in lines


def test_unknown_chip():
    done = command("targets", "Ascend910B9")
    assert done.returncode == 2 and not done.stdout and "did you mean Ascend910B" in done.stderr
    assert "`pyasc targets` lists them" in command("targets", "xyz").stderr


def test_doctor(tmp_path):
    done = command("doctor", PYASC_CACHE_DIR=str(tmp_path / "cache"))
    assert done.returncode == 0 and not done.stderr
    lines = {line[2:16].strip(): (line[0], line[17:]) for line in done.stdout.splitlines()}
    assert lines["Python"][1].startswith(sys.version.split()[0]) and lines["CANN"][0] == " "
    assert lines["compile cache"] == ("+", f"{tmp_path / 'cache'}, 0 kernels, 0.0 MB")
    assert lines["self-test"][0] == "+" and lines["self-test"][1].startswith("right result after")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_doctor_finds_a_cache_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("in the way")
    done = command("doctor", "--json", PYASC_CACHE_DIR=str(tmp_path / "file" / "cache"))
    found = {entry["what"]: entry for entry in json.loads(done.stdout)}
    assert done.returncode == 1 and found["compile cache"]["good"] is False and "PYASC_CACHE_DIR" in found["compile cache"]["found"]
    assert found["self-test"]["good"] is True and found["pyasc"]["good"] is None
