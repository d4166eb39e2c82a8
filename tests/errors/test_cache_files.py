# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compile cache and dumps that are damaged, foreign or cannot be written: kernels still run, and the user is told.
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 2.0, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, tile, 64)


x = np.zeros(64, np.float32)
kernel[1](x)
assert (x == 2).all()
print("right")
"""


def start(folder: Path, **environment) -> subprocess.CompletedProcess:
    path = folder / "kernel.py"
    path.write_text(SCRIPT)
    variables = {**os.environ, "PYASC_CACHE_DIR": str(folder / "cache"), **environment}
    return subprocess.run([sys.executable, str(path)], env=variables, capture_output=True, text=True, timeout=60)


def run(folder: Path, **environment) -> str:
    """Warnings of a fresh process in which the kernel gives the right result."""
    done = start(folder, **environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "right\n"
    return done.stderr


def entries(folder: Path) -> list[Path]:
    return [path for path in (folder / "cache").rglob("*") if path.is_file()]


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flip(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


@pytest.mark.parametrize(
    "damage", [cut, flip, lambda data: b"", lambda data: b"not ours" * 100], ids=["cut", "flipped", "empty", "foreign"]
)
def test_damaged_entry(tmp_path, damage):
    """Compiled again, with one warning, and good afterwards."""
    assert run(tmp_path) == ""
    [entry] = entries(tmp_path)
    entry.write_bytes(damage(entry.read_bytes()))
    warning = run(tmp_path)
    assert warning.count("C201") == 1 and entry.name in warning
    assert run(tmp_path) == ""
    assert entries(tmp_path) == [entry]


def test_cache_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert "C202" in run(tmp_path, PYASC_CACHE_DIR=str(tmp_path / "file" / "cache"))


def test_dumps(tmp_path):
    run(tmp_path, PYASC_DUMP_PATH=str(tmp_path / "dumps"))
    names = {path.name for path in (tmp_path / "dumps").rglob("*") if path.is_file()}
    assert {"ascir.mlir", "ascendc.cpp", "kernel.lst"} <= names


def test_dumps_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("in the way")
    done = start(tmp_path, PYASC_DUMP_PATH=str(tmp_path / "file" / "dumps"))
    assert done.returncode != 0
    assert "C203" in done.stderr and "PYASC_DUMP_PATH" in done.stderr
