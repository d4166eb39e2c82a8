# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The extension beside other software in one process: another LLVM, many compiles, other packages called asc.
import glob
import os
import subprocess
import sys
import textwrap

import pytest


def run(source, tmp_path, **environment):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(source))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


KERNEL = """
import asc
import numpy as np

@asc.jit
def kernel(dst: asc.GlobalAddress, n: asc.ConstExpr):
    out = asc.GlobalTensor()
    out.set_global_buffer(dst, 1)
    out.set_value(0, n)
"""


@pytest.mark.skipif(not glob.glob("/usr/lib/*/libLLVM*.so*") + glob.glob("/usr/lib/llvm-*/lib/libLLVM*.so*"), reason="no shared LLVM here")
def test_another_llvm_loaded_globally(tmp_path):
    libraries = sorted(glob.glob("/usr/lib/llvm-*/lib/libLLVM*.so*") + glob.glob("/usr/lib/*/libLLVM*.so*"))
    source = f"import ctypes\nctypes.CDLL({libraries[-1]!r}, mode=ctypes.RTLD_GLOBAL)\n" + KERNEL
    source += "out = np.zeros(1, np.int32)\nkernel.options(always_compile=True)[1](out, 5)\nprint(out[0])\n"
    assert run(source, tmp_path) == "5\n"


def test_the_extension_shows_one_symbol_and_no_shared_llvm():
    from pyasc import _core

    symbols = subprocess.run(["nm", "-D", "--defined-only", _core.__file__], capture_output=True, text=True, check=True).stdout
    assert [line.split()[-1] for line in symbols.splitlines()] == ["PyInit__core"]
    assert "LLVM" not in subprocess.run(["ldd", _core.__file__], capture_output=True, text=True, check=True).stdout


MEGABYTES = """
def megabytes():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096 / 1e6
"""


@pytest.mark.plain_build
def test_memory_stays_flat_over_ten_thousand_compiles(tmp_path):
    source = (
        MEGABYTES
        + """
kernel = kernel.options(always_compile=True)
out = np.zeros(1, np.int32)
for i in range(10_000):
    kernel.compile(out, i)
    if i in (1_000, 9_999):
        print(megabytes())
"""
    )
    start, end = map(float, run(KERNEL + source, tmp_path).split())
    assert end - start < 10


@pytest.mark.plain_build
def test_the_memory_cache_is_bounded(tmp_path):
    source = (
        MEGABYTES
        + """
out = np.zeros(1, np.int32)
for i in range(3_000):
    kernel.compile(out, i)
    if i in (500, 2_999):
        print(megabytes())
"""
    )
    start, end = map(float, run(KERNEL + source, tmp_path, PYASC_CACHE_DIR=str(tmp_path / "cache")).split())
    assert end - start < 10


def test_kernels_are_collected(tmp_path):
    source = """
import gc
import weakref
import asc
import numpy as np

def make(n):
    @asc.jit
    def kernel(dst: asc.GlobalAddress):
        out = asc.GlobalTensor()
        out.set_global_buffer(dst, 1)
        out.set_value(0, n)
    kernel.itself = kernel[1]
    return kernel

kernel = make(3)
out = np.zeros(1, np.int32)
kernel[1](out)
gone = weakref.ref(kernel)
del kernel
gc.collect()
print(out[0], gone())
"""
    assert run(source, tmp_path) == "3 None\n"


def test_a_foreign_package(tmp_path):
    (tmp_path / "asc").mkdir()
    (tmp_path / "asc" / "__init__.py").write_text("jit = None\n")
    source = "import pyasc.errors\n"
    script = tmp_path / "script.py"
    script.write_text(source)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.returncode != 0
    assert "P104" in done.stderr and str(tmp_path / "asc") in done.stderr


def test_import_needs_no_heavy_modules():
    """What takes long to import is not imported before it is needed."""
    code = "import numpy, sys; before = set(sys.modules); import asc; print(*sorted(set(sys.modules) - before))"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"inspect", "ast", "dis", "json", "argparse", "importlib.metadata", "asyncio", "unittest"} & set(modules), modules
