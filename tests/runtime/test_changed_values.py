# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A kernel compiled with one value of a global is not run with another: everything that a compile reads from Python is part of the key.
import types

import asc
import numpy as np
import pytest
from support.kernel_file import load

HEAD = """
import asc
import math
{setup}

@asc.jit
def kernel(dst: asc.GlobalAddress):
    out = asc.GlobalTensor()
    out.set_global_buffer(dst, 1)
    out.set_value(0, {expression})
"""

CASES = {
    "int": ("N = 1", "N", "N = 2"),
    "tuple": ("N = (1, 2)", "N[0]", "N = (2, 2)"),
    "list changed in place": ("N = [1]", "N[0]", "N[0] = 2"),
    "dict changed in place": ("N = {'a': 1}", "N['a']", "N['a'] = 2"),
    "class attribute": ("class C:\n    n = 1", "C.n", "C.n = 2"),
    "instance attribute": ("class C:\n    pass\nc = C()\nc.n = 1", "c.n", "c.n = 2"),
    "slot": ("class C:\n    __slots__ = ('n',)\nc = C()\nc.n = 1", "c.n", "c.n = 2"),
    "nested": ("class C:\n    pass\nc = C()\nc.values = [{'n': 1}]", "c.values[0]['n']", "c.values[0]['n'] = 2"),
    "numpy scalar": ("import numpy\nN = numpy.int64(1)", "int(N)", "N = numpy.int64(2)"),
    "array changed in place": ("import numpy\nN = numpy.ones(3_000_000, numpy.int64)", "int(N[2_999_999])", "N[2_999_999] = 2"),
    "long list": ("N = [1] * 300_000", "N[299_999]", "N[299_999] = 2"),
    "bytearray": ("N = bytearray(b'\\1')", "N[0]", "N[0] = 2"),
    "decimal": ("import decimal\nN = decimal.Decimal(1)", "int(N)", "N = decimal.Decimal(2)"),
    "named tuple": ("import collections\nT = collections.namedtuple('T', 'n')\nt = T(1)", "t.n", "t = T(2)"),
    "data class": ("import dataclasses\n@dataclasses.dataclass\nclass C:\n    n: int\nc = C(1)", "c.n", "c.n = 2"),
    "inherited": ("class B:\n    n = 1\nclass C(B):\n    pass\nc = C()", "c.n", "B.n = 2"),
    "constant of a structure": ("P = asc.DataCopyParams(1)", "P.block_count", "P.block_count = 2"),
    "enum": ("import enum\nclass E(enum.IntEnum):\n    A = 1\n    B = 2\nE_ = E.A", "int(E_)", "E_ = E.B"),
    "constexpr": ("N = asc.ConstExpr(1)", "N", "N = asc.ConstExpr(2)"),
    "module attribute": ("import types\nm = types.ModuleType('m')\nm.n = 1", "m.n", "m.n = 2"),
    "module of a module": ("import types\nm = types.ModuleType('m')\nm.k = types.ModuleType('k')\nm.k.n = 1", "m.k.n", "m.k.n = 2"),
    "device function": ("@asc.jit\ndef f(a):\n    return a\nN = f", "N(1)", "@asc.jit\ndef g(a):\n    return a + 1\nN = g"),
    "global of a device function": ("M = 1\n@asc.jit\ndef f(a):\n    return a * M", "f(1)", "M = 2"),
    "default of a device function": ("@asc.jit\ndef f(a=1):\n    return a", "f()", "f.fn.__defaults__ = (2,)"),
    "hidden builtin": ("", "max(1, 0)", "def _max(a, b):\n    return 2\nmax = asc.jit(_max)"),
}


@pytest.mark.parametrize(("setup", "expression", "change"), CASES.values(), ids=CASES)
def test_a_changed_value_is_seen(setup, expression, change):
    source = HEAD.format(setup=setup, expression=expression)
    if "def _max" in change or "def g" in change:  # the compiler reads functions from their file
        body, assign = change.rsplit("\n", 1)
        source, change = source + "\n" + body, assign
    module = load(source)
    out = np.zeros(1, np.int32)
    module.kernel[1](out)
    module.kernel[1](out)
    assert out[0] == 1
    assert module.kernel.cache_info().memory_hits == 1
    exec(change, module.__dict__)
    module.kernel[1](out)
    assert out[0] == 2


def test_going_back_is_a_memory_hit():
    module = load(HEAD.format(setup="N = 1", expression="N"))
    out = np.zeros(1, np.int32)
    for value in (1, 2, 1, 2):
        module.N = value
        module.kernel[1](out)
        assert out[0] == value
    assert module.kernel.cache_info().memory_hits == 2
    module.N = int("1")
    module.kernel[1](out)
    assert module.kernel.cache_info().memory_hits == 3


def test_closures():
    def make(n):
        @asc.jit
        def kernel(dst: asc.GlobalAddress):
            out = asc.GlobalTensor()
            out.set_global_buffer(dst, 1)
            out.set_value(0, n)

        def change(value):
            nonlocal n
            n = value

        return kernel, change

    out = np.zeros(1, np.int32)
    first, change = make(1)
    second, _ = make(2)
    for kernel, value in ((first, 1), (second, 2), (first, 1)):
        kernel[1](out)
        assert out[0] == value
    change(3)
    first[1](out)
    assert out[0] == 3


def test_a_module_called_like_one_of_the_library(tmp_path, monkeypatch):
    """A user's own statistics.py is the user's, and not Python's."""
    import sys

    monkeypatch.delitem(sys.modules, "statistics", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "statistics.py").write_text("n = 1\n")
    module = load(HEAD.format(setup="import statistics", expression="statistics.n"))
    out = np.zeros(1, np.int32)
    module.kernel[1](out)
    module.statistics.n = 2
    module.kernel[1](out)
    assert out[0] == 2
    monkeypatch.delitem(sys.modules, "statistics")


def test_unrelated_globals_do_not_matter():
    module = load(HEAD.format(setup="N = 1\nOTHER = [0]", expression="N"))
    out = np.zeros(1, np.int32)
    module.kernel[1](out)
    module.OTHER.append(1)
    module.OTHER = types.SimpleNamespace()
    module.kernel[1](out)
    assert module.kernel.cache_info().memory_hits == 1
