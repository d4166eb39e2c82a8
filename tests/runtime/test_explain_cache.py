# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# kernel.explain_cache(): why a kernel was found or compiled again, in words.
import os
import subprocess
import sys

import asc
import numpy as np
import pytest
from asc.runtime.config import set_platform
from pyasc.errors import PyascError, PyascWarning
from support.kernel_file import load

SOURCE = """
import asc

SIZE = 4
LIST = [1, 2]

@asc.jit
def helper(a):
    return a + SIZE

@asc.jit
def kernel(dst: asc.GlobalAddress, n: int, m: asc.ConstExpr = 0):
    out = asc.GlobalTensor()
    out.set_global_buffer(dst, 1)
    out.set_value(0, helper(n) + m + LIST[0])

@asc.jit
def other(a):
    return a + SIZE + 1
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.setenv("PYASC_CACHE_DIR", str(tmp_path / "cache"))
    module = load(SOURCE)
    launch(module.kernel)
    return module


def launch(kernel, dtype=np.int32, n=1, **named):
    out = np.zeros(1, dtype)
    kernel[1](out, n, **named)
    return out[0]


def changes(kernel):
    """The lines about what differs."""
    return [line.strip() for line in kernel.explain_cache().splitlines() if line.startswith("  ")]


def test_before_and_after_the_first_launch(tmp_path, monkeypatch):
    monkeypatch.setenv("PYASC_CACHE_DIR", str(tmp_path / "cache"))
    module = load(SOURCE)
    assert module.kernel.explain_cache() == "kernel 'kernel': neither launched nor compiled yet"
    launch(module.kernel)
    text = module.kernel.explain_cache()
    assert text.startswith("kernel 'kernel': compiled: first use in this process; no entry on disk\n")
    assert "no other entry of this kernel" in text
    assert f"on disk: {tmp_path}/cache/{module.kernel.cache_info().key}.entry" in text
    launch(module.kernel)
    assert module.kernel.explain_cache().startswith("kernel 'kernel': memory hit\n")


def test_a_global(module):
    module.SIZE = 8
    assert launch(module.kernel) == 10
    assert changes(module.kernel) == [f"global SIZE of module {module.__name__} was 4, is 8"]


def test_a_list_changed_in_place(module):
    module.LIST[0] = 5
    assert launch(module.kernel) == 10
    assert changes(module.kernel) == [f"global LIST of module {module.__name__} was [1, 2], is [5, 2]"]


def test_a_device_function(module):
    module.helper.fn.__code__ = module.other.fn.__code__
    assert launch(module.kernel) == 7
    (change,) = changes(module.kernel)
    assert change == f"function helper of module {module.__name__} changed ({module.__file__}:17)"


def test_arguments(module):
    launch(module.kernel, np.float32)
    assert changes(module.kernel) == ["argument dst was an array of int32, is an array of float32"]
    launch(module.kernel, n=np.int64(5))
    assert changes(module.kernel) == ["argument n was a number of type int32, is a number of type int64"]
    launch(module.kernel, m=3)
    assert changes(module.kernel) == ["argument m was 0, is 3"]


def test_options_and_platform(module):
    launch(module.kernel.options(auto_sync=False))
    assert changes(module.kernel) == ["option auto_sync was True, is False"]
    set_platform(asc.runtime.config.Backend.Model, "Ascend910B2", check=False)
    try:
        launch(module.kernel)
    finally:
        set_platform(asc.runtime.config.Backend.Model, "Ascend910B1", check=False)
    assert "option platform was Ascend910B1, is Ascend910B2" in changes(module.kernel)


def test_the_nearest_entry_is_the_one_compared_with(module):
    launch(module.kernel, m=1)
    module.SIZE = 5
    launch(module.kernel, m=1)
    assert changes(module.kernel) == [f"global SIZE of module {module.__name__} was 4, is 5"]


def test_a_kernel_that_does_not_compile(module):
    module.SIZE = "text"
    with pytest.raises(PyascError):
        launch(module.kernel)
    assert module.kernel.explain_cache().startswith("kernel 'kernel': does not compile: changed since the last launch: global SIZE")


def start(folder, text):
    """What explain_cache() says in a process of its own."""
    script = folder / "script.py"
    script.write_text(text + "\nimport numpy as np\nkernel[1](np.zeros(1, np.int32), 1)\nprint(kernel.explain_cache())")
    environment = {**os.environ, "PYASC_CACHE_DIR": str(folder / "cache")}
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_another_process_says_what_differs(tmp_path):
    assert "no other entry" in start(tmp_path, SOURCE)
    assert start(tmp_path, SOURCE).startswith("kernel 'kernel': disk hit: first use in this process\n")
    text = start(tmp_path, SOURCE.replace("SIZE = 4", "SIZE = 6"))
    assert "the nearest other entry, on disk, differs:\n  global SIZE of module __main__ was 4, is 6\n" in text
    text = start(tmp_path, SOURCE.replace("return a + SIZE\n", "return a * SIZE\n", 1))
    assert f"function helper of module __main__ changed ({tmp_path}/script.py:7)\n" in text


def test_a_damaged_entry(tmp_path):
    start(tmp_path, SOURCE)
    (entry,) = (tmp_path / "cache").glob("*.entry")
    entry.write_bytes(entry.read_bytes()[:-5])
    assert "first use in this process; the entry on disk is not usable: its length is wrong\n" in start(tmp_path, SOURCE)


def test_a_cache_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PYASC_CACHE_DIR", str(tmp_path / "file" / "cache"))
    module = load(SOURCE)
    with pytest.warns(PyascWarning, match="C202"):
        launch(module.kernel)
    assert "; not kept on disk: cannot write to the compile cache" in module.kernel.explain_cache()
    assert module.kernel.explain_cache().endswith("not on disk")
