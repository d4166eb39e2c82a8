# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A kernel compiled with one value of a global is not run with another: everything that a compile reads from Python is part of the key.
import importlib
import os
import subprocess
import sys
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

MODULE = "import types\nm = types.ModuleType('m')\n"
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
    "method": ("class C:\n    @asc.jit\n    def f(self):\n        return N\nN = 1\nc = C()", "c.f()", "N = 2"),
    "method of an object": ("class C:\n    @asc.jit\n    def f(self):\n        return self.n\nc = C()\nc.n = 1\nm = c.f", "m()", "c.n = 2"),
    "class method": ("class C:\n    @asc.jit\n    @classmethod\n    def f(cls):\n        return N\nN = 1", "C.f()", "N = 2"),
    "keyword default": ("@asc.jit\ndef f(*, a=1):\n    return a", "f()", "f.fn.__kwdefaults__['a'] = 2"),
    "code of a device function": (
        "@asc.jit\ndef f():\n    return 1",
        "f()",
        "@asc.jit\ndef g():\n    return 2\nf.fn.__code__ = g.fn.__code__",
    ),
    "function that a function calls": (
        "@asc.jit\ndef h():\n    return 1\n@asc.jit\ndef f():\n    return h()",
        "f()",
        "@asc.jit\ndef g():\n    return 2\nh = g",
    ),
    "attribute of a device function": ("@asc.jit\ndef f():\n    pass\nf.n = 1", "f.n", "f.n = 2"),
    "attribute of a function": ("def f():\n    pass\nf.n = 1", "f.n", "f.n = 2"),
    "module in a list": (f"{MODULE}m.n = 1\nc = [m]", "c[0].n", "m.n = 2"),
    "module that a device function reads too": (
        f"{MODULE}m.n = 1\nm.a = 0\n@asc.jit\ndef f(x):\n    return x + m.a",
        "f(m.n)",
        "m.n = 2",
    ),
    "getattr of a module": (f"{MODULE}m.n = 1", "getattr(m, 'n')", "m.n = 2"),
    "attribute added to a module": (f"{MODULE}", "getattr(m, 'n', 1)", "m.n = 2"),
    "hasattr": (f"{MODULE}", "2 if hasattr(m, 'n') else 1", "m.n = 0"),
    "dictionary of a module": (f"{MODULE}m.n = 1", "m.__dict__['n']", "m.n = 2"),
    "__getattr__ of a module": (f"{MODULE}N = 1\nm.__getattr__ = lambda name: N", "m.n", "N = 2"),
    "class of a module": (f"{MODULE}class M(types.ModuleType):\n    n = 1\nm = M('m')", "m.n", "M.n = 2"),
    "environment": ("import os\nos.environ['PYASC_TEST_N'] = '1'", "int(os.environ['PYASC_TEST_N'])", "os.environ['PYASC_TEST_N'] = '2'"),
    "sys.argv": ("import sys\nsys.argv = ['1']", "int(sys.argv[0])", "sys.argv[0] = '2'"),
    "constant of the library": ("import string\nstring.n = 1", "string.n", "string.n = 2"),
    "metaclass": ("class M(type):\n    n = 1\nclass C(metaclass=M):\n    pass", "C.n", "M.n = 2"),
    "class of an object": ("class A:\n    n = 1\nclass B:\n    n = 2\nc = A()", "c.n", "c.__class__ = B"),
    "bases of a class": ("class A:\n    n = 1\nclass B:\n    n = 2\nclass C(A):\n    pass", "C.n", "C.__bases__ = (B,)"),
    "documentation of a class": ("class C:\n    'a'", "len(C.__doc__)", "C.__doc__ = 'aa'"),
    "annotation of a class": ("class C:\n    n: 1", "C.__annotations__['n']", "C.__annotations__['n'] = 2"),
    "attribute deleted": ("class B:\n    n = 2\nclass C(B):\n    n = 1", "C.n", "del C.n"),
    "property": ("N = 1\nclass C:\n    @property\n    def n(self):\n        return N\nc = C()", "c.n", "N = 2"),
    "property that pretends": (
        "import functools, os\nN = 1\nclass C:\n    @property\n    @functools.wraps(os.getcwd)\n    def n(_):\n        return N\nc = C()",
        "c.n",
        "N = 2",
    ),
    "descriptor": (
        "class D:\n    v = 1\n    def __get__(self, o, t=None):\n        return self.v\nclass C:\n    n = D()",
        "C.n",
        "D.v = 2",
    ),
    "operator": ("N = 1\nclass C:\n    def __add__(self, other):\n        return g()\ndef g():\n    return N\nc = C()", "c + 1", "N = 2"),
    "globals()": ("N = 1\nclass C:\n    def __add__(self, other):\n        return globals()['N']\nc = C()", "c + 1", "N = 2"),
    "import in a function": (
        f"{MODULE}import sys\nsys.modules['pyasc_test_m'] = m\nm.n = 1\nclass C:\n    def __add__(self, other):\n"
        "        import pyasc_test_m\n        return pyasc_test_m.n\nc = C()",
        "c + 1",
        "m.n = 2",
    ),
    "array with attributes": ("import numpy\nclass A(numpy.ndarray):\n    pass\na = numpy.zeros(1).view(A)\na.n = 1", "a.n", "a.n = 2"),
    "array of objects": ("import numpy\na = numpy.array([[1], None], object)", "a[0][0]", "a[0][0] = 2"),
    "type of an array": ("import array\na = array.array('b', [-1])", "2 if a[0] > 0 else 1", "a = array.array('B', [255])"),
    "memory view": ("b = bytearray(b'\\1')\na = memoryview(b)", "a[0]", "b[0] = 2"),
    "class derived from dict": ("class D(dict):\n    pass\nd = D(n=1)", "d['n']", "d['n'] = 2"),
    "class derived from list": ("class D(list):\n    pass\nd = D([1])", "d[0]", "d[0] = 2"),
    "class derived from set": ("class D(set):\n    pass\nd = D([7])", "2 if 5 in d else 1", "d.add(5)"),
    "class derived from int": ("class I(int):\n    pass\nN = I(5)\nN.n = 1", "N.n", "N.n = 2"),
    "defaultdict": ("import collections\nd = collections.defaultdict(int, n=1)", "d['n']", "d['n'] = 2"),
    "two deques": ("from collections import deque\nd = (deque([0]), deque([1]))", "d[0][0] + d[1][0]", "d[1][0] = 2"),
    "mapping proxy": ("import types\ne = {'n': 1}\nd = types.MappingProxyType(e)", "d['n']", "e['n'] = 2"),
    "view of a dict": ("e = {'n': 1}\nd = e.values()", "sum(d)", "e['n'] = 2"),
    "ctypes structure": (
        "import ctypes\nclass S(ctypes.Structure):\n    _fields_ = [('n', ctypes.c_int)]\nd = S(1)",
        "d.n",
        "d.n = 2",
    ),
    "attribute of an enum's member": ("import enum\nclass E(enum.Enum):\n    A = 1\nE.A.n = 1", "E.A.n", "E.A.n = 2"),
    "attribute added to an enum's member": ("import enum\nclass E(enum.Enum):\n    A = 1", "getattr(E.A, 'n', 1)", "E.A.n = 2"),
    "attribute of an enum": ("import enum\nclass E(enum.Enum):\n    A = 1\nE.n = 1", "E.n", "E.n = 2"),
    "value of a constexpr": ("N = asc.ConstExpr(1)", "N", "N.value = 2"),
    "order of a dict": ("N = {'a': 1, 'b': 2}", "list(N.values())[0]", "N = {'b': 2, 'a': 1}"),
    "one list or two": ("a = [1]\nM, N = (a, [1]), (a, a)", "1 if N[0] is N[1] else 2", "N = M"),
    "bool or int": ("N = True", "1 if N is True else 2", "N = 1"),
    "int or float": ("N = 1", "1 if isinstance(N, int) else 2", "N = 1.0"),
    "sign of zero": ("N = 0.0", "1 if str(N) == '0.0' else 2", "N = -0.0"),
    "one type or its like": ("import numpy\nN = numpy.float32", "1 if N is numpy.float32 else 2", "N = asc.float32"),
    "f-string": ("N = 1", "int(f'{N}')", "N = 2"),
    "__name__": ("__name__ = '1'", "int(__name__)", "__name__ = '2'"),
    "__file__": ("", "1 if __file__ else 2", "__file__ = ''"),
    "recursive set": (
        "class C:\n    pass\na, b = C(), C()\ns = {a, b, 1}\na.s = b.s = s\na.n = b.n = 1",
        "[c.n for c in s if c != 1][0]",
        "a.n = b.n = 2",
    ),
    "deeply nested": (
        "d = e = [1]\nfor _ in range(150):\n    d = [d]\nclass C:\n    def __add__(self, x):\n        x = d\n"
        "        while isinstance(x, list):\n            x = x[0]\n        return x\nc = C()",
        "c + 1",
        "e[0] = 2",
    ),
    "hidden builtin": ("", "max(1, 0)", "def _max(a, b):\n    return 2\nmax = asc.jit(_max)"),
}


@pytest.mark.parametrize(("setup", "expression", "change"), CASES.values(), ids=CASES)
def test_a_changed_value_is_seen(setup, expression, change):
    source = HEAD.format(setup=setup, expression=expression)
    if "\n" in change:  # the compiler reads functions from their file
        body, assign = change.rsplit("\n", 1)
        source, change = source + "\n" + body, assign
    module = load(source)
    out = np.zeros(1, np.int32)
    module.kernel[1](out)
    module.kernel[1](out)
    assert out[0] == 1
    if setup.startswith("d = e"):
        assert "may change unseen" in module.kernel.cache_info().last  # not kept, so it cannot be stale
    else:
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


def test_static_arguments():
    """By value: what a module or an object passed to a kernel holds is part of the key."""
    module = load(
        HEAD.format(setup="N = 1", expression="int(c.n)").replace("dst: asc.GlobalAddress", "dst: asc.GlobalAddress, c: asc.ConstExpr")
    )
    out = np.zeros(1, np.int32)
    for c in (types.ModuleType("m"), types.SimpleNamespace(), type("C", (), {})):
        for n in (1, 2, 1):
            c.n = n
            module.kernel[1](out, c)
            assert out[0] == n
    assert module.kernel.cache_info().memory_hits == 3


def test_unrelated_globals_do_not_matter():
    module = load(HEAD.format(setup="N = 1\nOTHER = [0]", expression="N"))
    out = np.zeros(1, np.int32)
    module.kernel[1](out)
    module.OTHER.append(1)
    module.OTHER = types.SimpleNamespace()
    module.kernel[1](out)
    assert module.kernel.cache_info().memory_hits == 1


STRUCTURES = """
from __future__ import annotations
import types
from dataclasses import dataclass
import asc
import numpy as np
{before}

@dataclass
class Outer:
    inner: {annotation}

@asc.jit
def kernel(dst: asc.GlobalAddress, p):
    out = asc.GlobalTensor()
    out.set_global_buffer(dst, 2)
    out.set_value(0, {expression})

def launch(value):
    out = np.zeros(2, np.float32)
    kernel[1](out, Outer(value))
    return out[0]
"""
# What is around the class, its annotation, what the kernel reads, the value given, its result; then what is around it and the result.
INNER = "@dataclass\nclass In:\n    "
MEANINGS = {
    "order of fields": (INNER + "a: int; b: int", "In", "p.inner.a * 10 + p.inner.b", "In(a=1, b=2)", 12, INNER + "b: int; a: int", 12),
    "another field": (INNER + "a: int", "In", "p.inner.a", "In(a=1)", 1, INNER + "b: float = 0.5; a: int = 0", 1),
    "another type": (INNER + "a: int", "In", "p.inner.a / 2", "In(a=3)", 1, INNER + "a: float", 1.5),
    "alias": ("T = asc.int16", "T", "p.inner / 2", "3", 1, "T = asc.float32", 1.5),
    "alias in a module": ("m = types.ModuleType('m')\nm.T = int", "m.T", "p.inner / 2", "3", 1, "m.T = float", 1.5),
    "alias in a class": ("class C:\n    T = int", "C.T", "p.inner / 2", "3", 1, "C.T = float", 1.5),
    "alias of an inner field": ("T = int\n" + INNER + "a: T", "In", "p.inner.a / 2", "In(3)", 1, "T = float", 1.5),
    "hidden builtin": ("", "int", "p.inner / 2", "3", 1, "int = asc.float32", 1.5),
}  # fmt: skip


def structure_program(folder, case, change=False):
    """A file with what is around its class before or after the change."""
    before, annotation, expression, _, _, after, _ = case
    path = folder / "structure_program.py"
    path.write_text(STRUCTURES.format(before=after if change else before, annotation=annotation, expression=expression))
    return path


@pytest.mark.filterwarnings("ignore:.*T202")  # ints are divided
@pytest.mark.parametrize("case", MEANINGS.values(), ids=MEANINGS)
def test_an_annotation_of_a_structure_comes_to_mean_something_else(case, tmp_path, monkeypatch):
    _, _, _, value, first, change, second = case
    structure_program(tmp_path, case)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "structure_program", raising=False)
    module = importlib.import_module("structure_program")
    assert module.launch(eval(value, module.__dict__)) == first
    assert module.launch(eval(value, module.__dict__)) == first
    assert module.kernel.cache_info().memory_hits == 1
    exec("from dataclasses import dataclass\n" + change, module.__dict__)
    assert module.launch(eval(value, module.__dict__)) == second


@pytest.mark.parametrize("name", ["order of fields", "alias"])
def test_an_annotation_of_a_structure_means_something_else_in_the_next_process(name, tmp_path):
    """The kernel on disk is of the first meaning; the kernel's own lines stay where they are."""
    case = MEANINGS[name]
    for change, expected in ((False, case[4]), (True, case[6]), (False, case[4])):
        path = structure_program(tmp_path, case, change)
        program = [sys.executable, "-c", f"from structure_program import *; print(launch({case[3]}))"]
        done = subprocess.run(program, capture_output=True, text=True, cwd=path.parent, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        assert done.stdout and float(done.stdout) == expected, done.stdout + done.stderr
