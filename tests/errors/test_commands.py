# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `pyasc targets` and `pyasc doctor`.
import json
import os
import re
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


def test_json(tmp_path):
    chips = json.loads(command("targets", "--json").stdout)
    assert chips["Ascend910B1"]["vector_cores"] == 48 and len(chips) > 10
    assert json.loads(command("targets", "910b4", "--json").stdout) == {"Ascend910B4": chips["Ascend910B4"]}
    codes = json.loads(command("explain", "--json").stdout)
    entry = json.loads(command("explain", "s301", "--json").stdout)
    assert {"code": "S301", "title": entry["title"]} in codes and entry["title"] in command("explain", "S301").stdout
    assert entry["text"] and all(entry[cell]["why"] and "@asc.jit" in entry[cell]["program"] for cell in ("wrong", "right"))
    for action in ("show", "clear"):
        told = json.loads(command("cache", action, "--json", PYASC_CACHE_DIR=str(tmp_path)).stdout)
        assert told == {"folder": str(tmp_path), "kernels": 0, "bytes": 0}


def test_a_command_that_is_not_there():
    done = command("ecplain", "S301")
    assert done.returncode == 2 and "did you mean explain?" in done.stderr and not done.stdout
    assert "`pyasc --help` lists them" in command("zzz").stderr


def test_an_option_that_is_not_there():
    for words, near in (["compile", "--inptu", "x.py"], "--input"), (["run", "--chek", "races", "x.py"], "--check"):
        done = command(*words)
        assert done.returncode == 2 and f"usage: pyasc {words[0]} " in done.stderr and f"did you mean {near}?" in done.stderr, done
    done = command("-x", "lint", "x.py")
    assert done.returncode == 2 and "unrecognized arguments: -x" in done.stderr and "Traceback" not in done.stderr


def test_first_page():
    text = command("--help").stdout
    for verb in ("explain", "cache", "lint", "run", "targets", "doctor", "disasm", "new", "compile"):
        assert f"\n    {verb} " in text
    assert "pyasc run my_kernel.py" in text and "status: 0" in text


SCRIPT = """
import asc
import numpy as np

SIZE = 4


@asc.jit
def fill(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 16)
    x_gm.set_value(0, SIZE)


fill[1](np.zeros(16, np.int32))
SIZE = 5
fill[1](np.zeros(16, np.int32))
"""


@pytest.fixture
def cache(tmp_path):
    """The environment of a cache with two entries, and dumps."""
    (tmp_path / "script.py").write_text(SCRIPT)
    variables = {"PYASC_CACHE_DIR": str(tmp_path / "cache"), "PYASC_DUMP_PATH": str(tmp_path / "dumps")}
    subprocess.run([sys.executable, tmp_path / "script.py"], env={**os.environ, **variables}, check=True, timeout=60)
    return variables | {"script": str(tmp_path / "script.py")}


def test_entries_of_the_cache(cache):
    lines = command("cache", "list", **cache).stdout.splitlines()
    assert lines[0].split() == ["key", "KiB", "used", "function"] and len(lines) == 3
    assert all(line.endswith(f" fill in {cache['script']}") for line in lines[1:])
    entries = json.loads(command("cache", "list", "fill", "--json", **cache).stdout)
    assert [entry["key"][:12] for entry in entries] == [line.split()[0] for line in lines[1:]]
    assert {entry["unusable"] for entry in entries} == {None} and all(entry["bytes"] > 1000 for entry in entries)
    assert json.loads(command("cache", "list", entries[0]["key"][:10], "--json", **cache).stdout) == entries[:1]


def test_what_an_entry_was_made_from(cache):
    first, second = command("cache", "explain", "fill", **cache).stdout.split(", differs in\n")
    values = {re.search(r"global SIZE of module __main__ = (\d)\n", text + "\n")[1] for text in (first, second)}
    assert "compiled from\n" in first and "auto_sync = True" in first
    assert values == {"4", "5"} and len(second.splitlines()) == 1


def test_entries_that_are_not_there(cache):
    assert "cache list" in command("cache", "explain", **cache).stderr
    done = command("cache", "explain", "nothing", **cache)
    assert done.returncode == 2 and "there is no entry for nothing" in done.stderr


def test_damaged_entries_are_listed_as_such(cache, tmp_path):
    one, other = sorted((tmp_path / "cache").glob("*.entry"))
    one.write_bytes(one.read_bytes()[:-1])
    other.write_bytes(b"")
    listed = command("cache", "list", **cache).stdout
    assert "its length is wrong" in listed and "it is not a cache entry" in listed
    assert command("cache", "clear", **cache).stdout.endswith("removed 2 kernels, 0.0 MB\n")


def test_listing_of_a_program(cache, tmp_path):
    program = next((tmp_path / "dumps").rglob("kernel.bin"))
    done = command("disasm", str(program))
    assert done.stdout == program.with_name("kernel.lst").read_text() and "x_gm.set_value(0, SIZE)" in done.stdout


def test_listing_of_a_kernel_file(tmp_path):
    options = "--function", "softmax_kernel", "--output", str(tmp_path / "softmax.kernel"), "--keep-intermediate"
    assert command("compile", *options).returncode == 0
    done = command("disasm", str(tmp_path / "softmax.kernel"))
    rule, kernel = done.stdout.split('\n\nprogram "softmax_kernel"')
    assert rule.startswith('program "tiling_rule"') and f'program "softmax_kernel"{kernel}' == (tmp_path / "softmax.lst").read_text()
    whole = (tmp_path / "softmax.kernel").read_bytes()
    (tmp_path / "softmax.kernel").write_bytes(whole[:-1])
    done = command("disasm", str(tmp_path / "softmax.kernel"))
    assert (done.returncode, done.stdout) == (2, "") and "C301" in done.stderr


def test_programs_that_cannot_be_listed(cache, tmp_path):
    program = next((tmp_path / "dumps").rglob("kernel.bin"))
    damaged = bytearray(program.read_bytes())
    damaged[-1] ^= 1
    program.write_bytes(damaged)
    done = command("disasm", str(program))
    assert done.returncode == 2 and "C101" in done.stderr and not done.stdout and "Traceback" not in done.stderr
    assert "cannot be read: No such file" in command("disasm", str(tmp_path / "none")).stderr
    done = command("disasm", __file__)
    assert done.returncode == 2 and "is neither a .kernel file nor a program (kernel.bin)" in done.stderr
    assert "cannot be read: Is a directory" in command("disasm", str(tmp_path)).stderr


def test_new_project(tmp_path):
    made = command("new", str(tmp_path / "row-norm"))
    assert made.returncode == 0 and "README.md, bench_row_norm.py, row_norm.py, test_row_norm.py" in made.stdout
    folder = tmp_path / "row-norm"
    assert "my_kernel" not in "".join(file.read_text() for file in folder.iterdir())
    variables = {**os.environ, "PYASC_CACHE_DIR": str(tmp_path / "cache")}
    for program in (["row_norm.py"], ["-m", "pytest", "-q"], ["bench_row_norm.py"], ["-m", "pyasc", "lint", "row_norm.py"]):
        done = subprocess.run([sys.executable, *program], cwd=folder, capture_output=True, text=True, timeout=120, env=variables)
        assert done.returncode == 0, done.stdout + done.stderr
    assert oct(folder.stat().st_mode)[-3:] == "755"


def test_new_projects_that_cannot_be(tmp_path):
    (tmp_path / "there").mkdir()
    for name, why in [
        ("there", "exists already"),
        ("2x", "'2x' cannot name a kernel"),
        ("class", "'class'"),
        ("no/where", "/no is no folder: make it first"),
    ]:
        done = command("new", str(tmp_path / name))
        assert done.returncode == 2 and why in done.stderr and "Traceback" not in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["there"]
