# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The memory and the disk cache: what is kept, what is found again, and that nothing on disk can do harm.
import os
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import asc
import numpy as np
import pytest
from asc.runtime import cache
from pyasc.errors import LaunchValueError, PyascWarning
from support.kernel_file import load

SCRIPT = """
import sys
import asc
import numpy as np

TILE = 7

@asc.jit
def helper(a):
    return a + TILE

@asc.jit
def kernel(dst: asc.GlobalAddress, n: int):
    out = asc.GlobalTensor()
    out.set_global_buffer(dst, 1)
    out.set_value(0, helper(n))

if __name__ == "__main__":
    out = np.zeros(1, np.int32)
    kernel[1](out, 1)
    assert out[0] == 1 + TILE, out
    print(kernel.cache_info().disk_hits, kernel.cache_info().compiles, kernel.cache_info().last)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PYASC_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def run(path, *, environment=None):
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, env={**os.environ, **(environment or {})})
    assert done.returncode == 0, done.stderr
    return done.stdout.split(maxsplit=2), done.stderr


def launch(module):
    out = np.zeros(1, np.int32)
    module.kernel[1](out, 1)
    return out[0]


def entries(folder):
    return sorted(folder.glob("*.entry"))


def test_second_process_finds_the_kernel(folder, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    assert run(script)[0][:2] == ["0", "1"]
    assert run(script)[0][:2] == ["1", "0"]
    assert len(entries(folder)) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [("TILE = 7", "TILE = 8"), ("a + TILE", "a + TILE + 0 * a"), ("def kernel(dst", "def kernel(\n    dst"), ("n: int", "n")],
    ids=["global", "device function", "lines", "annotation"],
)
def test_a_change_of_what_is_read_compiles_again(folder, tmp_path, old, new):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    run(script)
    script.write_text(SCRIPT.replace(old, new))
    assert run(script)[0][:2] == ["0", "1"]


def test_options_that_change_the_program_are_part_of_the_key(folder):
    module = load(SCRIPT)
    out = np.zeros(1, np.int32)
    module.kernel[1](out, 1)
    module.kernel.options(check=False, max_cycles=10**6, threads=1)[1](out, 1)
    assert module.kernel.cache_info().compiles == 1
    module.kernel.options(auto_sync=False)[1](out, 1)
    module.kernel.options(arithmetic="python")[1](out, 1)
    assert module.kernel.cache_info().compiles == 3
    module.kernel[1](out, 1, auto_sync=False)
    assert module.kernel.cache_info().compiles == 3


def test_cache_info_tells_why(folder):
    module = load(SCRIPT)
    launch(module)
    assert module.kernel.cache_info().last.startswith("compiled: first use in this process")
    launch(module)
    assert module.kernel.cache_info().last == "memory hit"
    module.kernel[1](np.zeros(1, np.int64), 1)
    assert "new argument types" in module.kernel.cache_info().last
    module.TILE = 9
    assert launch(module) == 10
    assert f"global TILE of module {module.__name__} was 7, is 9" in module.kernel.cache_info().last
    info = module.kernel.cache_info()
    assert (info.memory_hits, info.disk_hits, info.compiles) == (1, 0, 3)
    assert (folder / f"{info.key}.entry").exists()


def test_kernels_of_pyasc_are_read_as_those_of_users(folder, monkeypatch):
    """They may change without a new build of the compiler."""
    from pyasc.kernels import elementwise

    @asc.jit
    def negated(x: asc.GlobalAddress, z: asc.GlobalAddress, total: int, count: int):
        elementwise.each_tile((x,), z, total, count, asc.float32, lambda a, n: asc.muls(a, a, -1.0, n))

    x, z = np.arange(10, dtype=np.float32), np.zeros(10, np.float32)
    for compiles, tile in [(1, elementwise.TILE), (2, 4096), (2, elementwise.TILE)]:
        monkeypatch.setattr(elementwise, "TILE", tile)
        negated[1](x, z, 10, 16)
        assert (negated.cache_info().compiles, len(entries(folder))) == (compiles, compiles)
    np.testing.assert_array_equal(z, -x)


def test_always_compile_leaves_caches_alone(folder):
    kernel = load(SCRIPT).kernel.options(always_compile=True)
    out = np.zeros(1, np.int32)
    for _ in range(3):
        kernel[1](out, 1)
    assert kernel.cache_info().compiles == 3
    assert not folder.exists() or not entries(folder)


DAMAGE = {
    "empty": lambda b: b"",
    "short": lambda b: b[: len(b) // 2],
    "header only": lambda b: b[:40],
    "long": lambda b: b + b"\0",
    "flipped in the middle": lambda b: b[: len(b) // 2] + bytes([b[len(b) // 2] ^ 1]) + b[len(b) // 2 + 1 :],
    "flipped in the header": lambda b: bytes([b[0] ^ 1]) + b[1:],
    "flipped digest": lambda b: b[:20] + bytes([b[20] ^ 1]) + b[21:],
    "foreign": lambda b: b"#!/bin/sh\nexit 1\n" * 100,
    "pickle": lambda b: __import__("pickle").dumps({"kernel": b}),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damaged_entries_are_compiled_again_with_a_warning(folder, damage):
    launch(load(SCRIPT))
    (entry,) = entries(folder)
    good = entry.read_bytes()
    entry.write_bytes(damage(good))
    again = same_place()
    with pytest.warns(PyascWarning, match="C201"):
        assert launch(again) == 8
    assert again.kernel.cache_info().compiles == 1


def same_place():
    """The module that was loaded last, once more and under the same file name, so that its key is the same."""
    import importlib.util

    from support import kernel_file

    path = max(Path(kernel_file._folder.name).glob("*/kernel.py"), key=lambda p: int(p.parent.name))
    spec = importlib.util.spec_from_file_location("again", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_byte_of_an_entry_is_checked(folder):
    """Any single changed byte is noticed: no run with a damaged program."""
    launch(load(SCRIPT))
    (entry,) = entries(folder)
    good = entry.read_bytes()
    for at in np.random.default_rng(3).integers(0, len(good), 60):
        entry.write_bytes(good[:at] + bytes([good[at] ^ 0x41]) + good[at + 1 :])
        module = same_place()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert launch(module) == 8
        assert module.kernel.cache_info().disk_hits == 0, at
        again = same_place()  # the entry was written anew
        assert launch(again) == 8
        assert again.kernel.cache_info().disk_hits == 1, at


def test_an_entry_under_another_key_is_not_taken(folder):
    launch(load(SCRIPT))
    (entry,) = entries(folder)
    other = load(SCRIPT.replace("TILE = 7", "TILE = 50"))
    assert launch(other) == 51
    key = other.kernel.cache_info().key
    (folder / f"{key}.entry").write_bytes(entry.read_bytes())
    again = same_place()
    with pytest.warns(PyascWarning, match="C201"):
        assert launch(again) == 51


def test_folders_where_entries_belong(folder):
    """A folder in the place of an entry, a file in the place of the folder."""
    launch(load(SCRIPT))
    (entry,) = entries(folder)
    entry.unlink()
    entry.mkdir()
    with pytest.warns(PyascWarning, match="C20"):
        assert launch(same_place()) == 8
    entry.rmdir()
    folder.rmdir()
    folder.write_text("not a folder")
    with pytest.warns(PyascWarning, match="C20"):
        assert launch(same_place()) == 8


def test_killed_processes_leave_no_broken_entry(folder, tmp_path):
    """Processes that do nothing but store kernels are killed at random moments; what is there is always usable."""
    script = tmp_path / "store.py"
    script.write_text(
        textwrap.dedent(
            """
            import itertools
            import asc
            import numpy as np

            @asc.jit
            def kernel(dst: asc.GlobalAddress, n: asc.ConstExpr):
                out = asc.GlobalTensor()
                out.set_global_buffer(dst, 1)
                out.set_value(0, n)

            print("ready", flush=True)
            for i in itertools.count():
                kernel.compile(np.zeros(1, np.int32), i % 40)
            """
        )
    )
    random = np.random.default_rng(5)
    for _ in range(6):
        process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, env=os.environ)
        process.stdout.readline()
        time.sleep(random.uniform(0.01, 0.15))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    assert entries(folder)
    source = script.read_text().split("print(")[0] + "import sys, warnings\nwarnings.simplefilter('error')\n"
    source += "for i in range(40):\n    kernel.compile(np.zeros(1, np.int32), i)\nprint(kernel.cache_info().disk_hits, 0, 0)\n"
    script.write_text(source)
    (hits, *_), _ = run(script)
    assert int(hits) >= 1


def test_many_processes_at_once(folder, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: run(script), range(8)))
    assert all(not errors for _, errors in results)
    assert len(entries(folder)) == 1
    assert run(script)[0][0] == "1"


def test_size_cap_removes_the_least_recently_used(folder):
    @asc.jit
    def kernel(dst: asc.GlobalAddress, n: asc.ConstExpr):
        out = asc.GlobalTensor()
        out.set_global_buffer(dst, 1)
        out.set_value(0, n)

    out = np.zeros(1, np.int32)
    try:
        kernel[1](out, -1)
        size = entries(folder)[0].stat().st_size
        os.utime(entries(folder)[0], (1, 1))
        cache.set_limit(20 * size)
        for i in range(200):
            kernel.compile(out, i)
        held, size_held = cache.usage()
        assert size_held <= (20 + 64) * size  # trimmed every 64 stores
        assert not any(entry.stat().st_mtime == 1 for entry in entries(folder))
        assert held == len(entries(folder))
    finally:
        cache.set_limit(None)
    assert cache.clear()[0] == held
    assert not entries(folder)


@pytest.mark.parametrize("limit", ["5k", -1, True, 1.5, 2**63])
def test_a_limit_is_a_number_of_bytes(limit):
    before = cache.limit()
    with pytest.raises(LaunchValueError, match="expected a number of bytes from 0") as caught:
        cache.set_limit(limit)
    assert caught.value.code == "K141" and cache.limit() == before


def test_home_variables(monkeypatch, tmp_path):
    monkeypatch.delenv("PYASC_CACHE_DIR")
    monkeypatch.setenv("PYASC_HOME", str(tmp_path))
    assert cache.folder() == f"{tmp_path}/.pyasc/cache"
    monkeypatch.delenv("PYASC_HOME")
    monkeypatch.setenv("HOME", "/elsewhere")
    assert cache.folder() == "/elsewhere/.pyasc/cache"


def test_dumps(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("PYASC_DUMP_PATH", str(tmp_path / "dumps"))
    module = load(SCRIPT)
    launch(module)
    key = module.kernel.cache_info().key
    (dump,) = (tmp_path / "dumps").iterdir()
    assert dump.name == f"kernel-{key[:12]}"
    assert {file.name for file in dump.iterdir()} == {"codegen.mlir", "ascir.mlir", "ascendc.cpp", "kernel.lst", "kernel.bin"}
    compiled = module.kernel.compile(np.zeros(1, np.int32), 1)
    assert (dump / "ascir.mlir").read_text() == compiled.ir
    assert (dump / "ascendc.cpp").read_text() == compiled.ascendc
    assert (dump / "kernel.lst").read_text() == compiled.listing
    assert (dump / "kernel.bin").read_bytes() == compiled.binary
