# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# breakpoint() in kernels: what Python's debugger shows, at which statements it stops, and that the kernel computes the same.
import bdb
import builtins
import contextlib
import gc
import io
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from pathlib import Path

import asc
import numpy as np
import pyasc.errors
import pytest
from support.kernel_file import load, marked_lines
from support.terminal import steps, terminal

SOURCE = """import asc
import numpy as np

SIZE = 16


@asc.jit
def scaled(value, factor: asc.ConstExpr[int]):
    product = value * factor
    return product + 1  # <- end of scaled


@asc.jit
def kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, n: int):
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, SIZE)
    y_gm.set_global_buffer(y, SIZE)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, SIZE)
    asc.data_copy(tile, x_gm, SIZE)
    asc.set_flag(asc.HardEvent.MTE2_S, 0)
    asc.wait_flag(asc.HardEvent.MTE2_S, 0)
    total = 0
    breakpoint()  # <- breakpoint
    for i in range(n):
        total += i
        tile.set_value(i, 100.0 + i)
    total = scaled(total, 3)  # <- call
    y_gm.set_value(0, asc.number(total, asc.float32))
    y_gm.set_value(1, tile.get_value(1))
"""
LINES = marked_lines(SOURCE)


@pytest.fixture(autouse=True)
def no_collections():
    """A garbage collection in between calls back (hypothesis counts them), and pdb would step into that."""
    gc.disable()
    yield
    gc.enable()


def kernel_of(*lines, parameters="n: int"):
    return load(f"import asc\n@asc.jit\ndef kernel({parameters}):\n" + "".join(f"    {line}\n" for line in lines)).kernel


def arrays():
    return np.arange(16, dtype=np.float32), np.zeros(16, np.float32)


def test_stepping():
    module = load(SOURCE)
    x, y = arrays()
    commands = ["p total, n, SIZE", "p tile[:3]", "n", "n", "p i, total", "n", "p tile[:3]", "until", "until", "until", "s", "s"]
    commands += ["p value, factor, SIZE", "n", "p product", "n", "n", "p total", "p y[:2]", "n", "p y[:2]", "n", "p y[:2]", "c"]
    with terminal(*commands) as screen:
        module.kernel[1](x, y, 3)
        done = "launched"
    assert screen.commands == [] and done == "launched"
    assert screen.text == STEPS


STEPS = """\
> kernel.py(24)kernel()
-> for i in range(n):
(Pdb) p total, n, SIZE
(0, 3, 16)
(Pdb) p tile[:3]
array([0., 1., 2.], dtype=float32)
(Pdb) n
> kernel.py(25)kernel()
-> total += i
(Pdb) n
> kernel.py(26)kernel()
-> tile.set_value(i, 100.0 + i)
(Pdb) p i, total
(0, 0)
(Pdb) n
> kernel.py(24)kernel()
-> for i in range(n):
(Pdb) p tile[:3]
array([100.,   1.,   2.], dtype=float32)
(Pdb) until
> kernel.py(25)kernel()
-> total += i
(Pdb) until
> kernel.py(26)kernel()
-> tile.set_value(i, 100.0 + i)
(Pdb) until
> kernel.py(27)kernel()
-> total = scaled(total, 3)  # <- call
(Pdb) s
--Call--
> kernel.py(7)scaled()
-> @asc.jit
(Pdb) s
> kernel.py(9)scaled()
-> product = value * factor
(Pdb) p value, factor, SIZE
(3, 3, 16)
(Pdb) n
> kernel.py(10)scaled()
-> return product + 1  # <- end of scaled
(Pdb) p product
9
(Pdb) n
--Return--
> kernel.py(10)scaled()->10
-> return product + 1  # <- end of scaled
(Pdb) n
> kernel.py(28)kernel()
-> y_gm.set_value(0, asc.number(total, asc.float32))
(Pdb) p total
10
(Pdb) p y[:2]
array([0., 0.], dtype=float32)
(Pdb) n
> kernel.py(29)kernel()
-> y_gm.set_value(1, tile.get_value(1))
(Pdb) p y[:2]
array([10.,  0.], dtype=float32)
(Pdb) n
--Return--
> kernel.py(29)kernel()->None
-> y_gm.set_value(1, tile.get_value(1))
(Pdb) p y[:2]
array([ 10., 101.], dtype=float32)
(Pdb) c
"""


def test_the_stack_is_that_of_the_functions():
    module = load(SOURCE)
    outside = "of the test"
    commands = [f"tbreak {LINES['end of scaled']}", "c", "w", "p product", "up", "p total, i", "up", "p outside", "d", "d", "r", "c"]
    with terminal(*commands) as screen:
        module.kernel[1](*arrays(), 3)
    assert outside in screen.text
    stack = screen.text[screen.text.index("(Pdb) w") : screen.text.index("(Pdb) p product")]
    assert [line.split("/")[-1] for line in stack.splitlines() if ".py(" in line][-3:] == [
        f"test_breakpoint.py({test_the_stack_is_that_of_the_functions.__code__.co_firstlineno + 5})"
        "test_the_stack_is_that_of_the_functions()",
        f"kernel.py({LINES['call']})kernel()",
        f"> kernel.py({LINES['end of scaled']})scaled()",
    ]
    assert "(Pdb) p total, i\n*** NameError: name 'i' is not defined" in screen.text  # a loop that may not run leaves no variable
    assert f"--Return--\n> kernel.py({LINES['end of scaled']})scaled()->10\n" in screen.text


def test_the_source_of_the_function_is_listed():
    with terminal("ll", "q") as screen, pytest.raises(bdb.BdbQuit):
        load(SOURCE).kernel[1](*arrays(), 3)
    shown = re.findall(r"^ *\d+ .*?\t(.*)$", screen.text, re.MULTILINE)
    assert shown == SOURCE.split("\n\n\n")[2].splitlines()


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("blocks", [1, 3])
def test_results_are_those_without_it(check, blocks):
    plain, stopping = load(SOURCE.replace("breakpoint()", "pass")).kernel, load(SOURCE).kernel
    (x, expected), (_, y) = arrays(), arrays()
    plain.options(check=False)[blocks](x, expected, 5)
    with terminal(*["n"] * 4, *["c"] * blocks) as screen:
        stopping.options(check=check and blocks == 1)[blocks](x, y, 5)
    assert screen.commands == []
    np.testing.assert_array_equal(y, expected)


# ---------------------------------------------------------------- which statements, and the values there

HELPERS = """
@JIT
def helper(a, b):
    c = a + b
    return c * 2
@JIT
def early(a, b):
    if a > 20:
        return 0
    for q in range(b):
        if q > a:
            return q
        a += 1
    return a
"""
BODIES = {
    "if": "if n > 2:\n    s += 1\nelif n > 1:\n    pass\nelse:\n    s += 2\nt = s if n > 2 else n\nu = n > 1 and s < 3\ns += 1",
    "for": "for i in range(n):\n    s += i\n    if s > 2:\n        s -= 1\n    elif s > 1:\n        pass\ns = 9",
    "for that does not run": "for i in range(n - 3):\n    s += i\nelse:\n    s += 1\ns = 9",
    "while": "i = 0\nwhile i < n:\n    i += 1\n    s += i\nelse:\n    s += 5\ns = 9",
    "break": "for i in range(10):\n    if i == n:\n        break\n    s += i\nelse:\n    s = -1\ns += 9",
    "no break": "for i in range(2):\n    if i == n:\n        break\n    s += i\nelse:\n    s = -1\ns += 9",
    "continue": "for i in range(5):\n    if i % 2 == 0:\n        continue\n    s += i\ns += 9",
    "endless": "i = 0\nwhile True:\n    i += 1\n    if i > n:\n        break\n    if i == 2:\n        continue\n    s += i\ns += 9",
    "nested": "for i in range(2):\n    for j in range(i, 2):\n        s += j\nt = s",
    "calls": "s = helper(s, n)\ns = helper(helper(s, 1), 2)\ns += 1",
    "calls in loops": "for i in range(2):\n    s = helper(s, i)\nwhile early(s, n) > 3:\n    s += 10\ns += 1",
    "early return": "s = early(1, 5)\ns = early(30, 2)\nif s == 0:\n    return\ns += 1",
    "closure": "def add(k):\n    m = k + s\n    return m\ns = add(3)\ns = add(s)",
    "unrolled": "for i in (1, 2, 3):\n    s += i\nfor i in [4, 5]:\n    if s > n:\n        break\n    s += i\ns += 1",
    "with": "with contextlib.nullcontext(n) as k:\n    s += k\ns += 1",
    "with and return": "with contextlib.nullcontext(n) as k:\n    if s == 1:\n        return\n    s += k\ns += 1",
    "with and break": "for i in range(3):\n    with contextlib.nullcontext():\n        if i > 1:\n            break\n        s += i\ns = 1",
    "walrus": "while (s := s + 1) < n + 3:\n    t = s\ns += 1",
}


@pytest.mark.parametrize("name", BODIES)
def test_lines_and_values_are_those_of_python(name):
    kernel = "@JIT\ndef kernel(n: int, s: int):\n    breakpoint()\n" + textwrap.indent(BODIES[name], "    ") + "\n"
    source = f"import asc, contextlib\nJIT = asc.jit{HELPERS}{kernel}"
    plain = load(source.replace("asc.jit", "lambda f: f"))
    expected = steps(lambda: plain.kernel(3, 1), "kernel.py")
    actual = steps(lambda: load(source).kernel[1](3, 1), "kernel.py")
    assert len(actual) > 2
    assert [(function, line) for function, line, _ in actual] == [(function, line) for function, line, _ in expected]
    for (function, line, python), (_, _, ours) in zip(expected, actual, strict=True):
        if isinstance(python, dict):
            # A loop that may not run leaves no variable; a closure sees all around it.
            shared = python.keys() & ours.keys()
            assert python.keys() - shared <= {"i", "j", "q", "t"}, (function, line)
            assert {k: python[k] for k in shared} == {k: ours[k] for k in shared}, (function, line)
        else:
            assert ours == python, (function, line)


def test_a_condition_decides_while_the_kernel_runs():
    kernel = kernel_of("for i in range(n):", "    if i % 3 == 2:", "        breakpoint()", "    j = i + 1")
    with terminal("p i", "c", "p i", "c", "p i", "c") as screen:
        kernel[1](9)
    assert re.findall(r"p i\n(\d+)", screen.text) == ["2", "5", "8"]
    with terminal() as screen:
        kernel[1](2)
    assert screen.text == ""


# ---------------------------------------------------------------- variables

KINDS = {
    "n": ("n", 3),
    "f": ("f", 0.5),
    "half": ("half", np.float16(1.5)),
    "wide": ("wide", 1 << 40),
    "asc.number(n, asc.uint64) - 4": (None, (1 << 64) - 1),
    "asc.number(-n, asc.int8)": (None, -3),
    "n > 2": (None, True),
    "1.0": (None, 1.0),
    "'text'": (None, "text"),
    "asc.float16": (None, asc.float16),
    "k": ("k", {"a": 1}),
    "(n, [f, (n + 1,)], 'x')": (None, (3, [0.5, (4,)], "x")),
    "{'a': 1, 'b': [n]}": (None, {"a": 1, "b": [3]}),
}
PARAMETERS = "x: asc.GlobalAddress, h: asc.GlobalAddress, n: int, f: float, half: asc.float16, wide: asc.int64, k: asc.ConstExpr"


def variables(*lines, hook=None, blocks=1, **options):
    """The variables of a kernel at its breakpoints, as breakpoint hooks see them."""
    found = []
    kernel = kernel_of(*lines, parameters=PARAMETERS).options(**options)
    x, h = np.arange(64, dtype=np.float32), np.arange(8, dtype=np.float16)
    with terminal():
        sys.breakpointhook = lambda: found.append(dict(sys._getframe(1).f_locals)) if hook is None else hook(sys._getframe(1))
        kernel[blocks](x, h, 3, 0.5, 1.5, 1 << 40, {"a": 1})
    return found, x, h


@pytest.mark.parametrize("expression", KINDS)
def test_kinds_of_values(expression):
    [frame], _, _ = variables(f"v = {expression}", "breakpoint()")
    value = frame["v"]
    assert value == KINDS[expression][1] and type(value) is type(KINDS[expression][1])


def test_bfloat16():
    tensor = "t = asc.LocalTensor(asc.bfloat16, asc.TPosition.VECIN, 0, 16)"
    [frame], _, _ = variables("v = asc.number(f, asc.bfloat16)", tensor, "breakpoint()")
    try:
        from ml_dtypes import bfloat16
    except ImportError:
        assert frame["v"] == 0.5 and type(frame["v"]) is float and frame["t"].dtype == np.uint16
    else:
        assert frame["v"] == 0.5 and type(frame["v"]) is bfloat16 and frame["t"].dtype == bfloat16
    assert frame["t"].shape == (16,)


def test_bfloat16_without_ml_dtypes():
    program = """
import sys

sys.modules["ml_dtypes"] = None
import asc


@asc.jit
def kernel(f: float):
    v = asc.number(f, asc.bfloat16)
    t = asc.LocalTensor(asc.bfloat16, asc.TPosition.VECIN, 0, 16)
    breakpoint()


def hook():
    v, t = map(sys._getframe(1).f_locals.get, "vt")
    print(repr(v), t.dtype, t.shape)


sys.breakpointhook = hook
kernel[1](0.5)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert run.stdout == "0.5 uint16 (16,)\n", run.stderr


def test_tensors_are_views():
    lines = [
        "x_gm = asc.GlobalTensor()",
        "x_gm.set_global_buffer(x + 8, 32)",
        "open_gm = asc.GlobalTensor()",
        "open_gm.set_global_buffer(x + n)",
        "tile = asc.LocalTensor(asc.int16, asc.TPosition.VECIN, 64, 32)",
        "part = tile[16]",
        "none = asc.GlobalTensor()",
        "tile.set_value(17, 5)",
        "breakpoint()",
    ]
    [frame], x, h = variables(*lines)
    for name, part in [("x", x), ("h", h), ("x_gm", x[8:40]), ("open_gm", x[3:])]:
        view = frame[name]
        assert view.dtype == part.dtype and view.shape == part.shape, name
        assert view.ctypes.data == part.ctypes.data, name  # the caller's bytes
    assert frame["tile"].dtype == np.int16 and frame["tile"].shape == (32,) and frame["tile"][17] == 5
    assert frame["part"].shape == (16,) and frame["part"][1] == 5
    assert repr(frame["none"]) == "<a GlobalTensor without a buffer>"


def test_a_read_only_array_stays_so():
    kernel = kernel_of("breakpoint()", parameters="x: asc.GlobalAddress")
    seen = []
    with terminal():
        sys.breakpointhook = lambda: seen.append(sys._getframe(1).f_locals["x"])
        kernel[1](b"abcd")
    assert not seen[0].flags.writeable and bytes(seen[0]) == b"abcd"


@pytest.mark.parametrize("check", [True, False])
def test_writing_to_a_view_changes_the_tensor_and_to_a_number_nothing(check):
    lines = [
        "x_gm = asc.GlobalTensor()",
        "x_gm.set_global_buffer(x, 64)",
        "tile = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 64)",
        "asc.data_copy(tile, x_gm, 64)",
        "asc.set_flag(asc.HardEvent.MTE2_S, 0)",
        "asc.wait_flag(asc.HardEvent.MTE2_S, 0)",
        "breakpoint()",
        "x_gm.set_value(0, tile.get_value(1) + n)",
    ]

    def hook(frame):
        frame.f_locals["tile"][1] = 70
        frame.f_locals["n"] = 1000

    _, x, _ = variables(*lines, hook=hook, check=check)
    assert x[0] == 73


def test_large_copies_are_there_to_look_at():
    kernel = kernel_of(
        "x_gm = asc.GlobalTensor()",
        "x_gm.set_global_buffer(x, 8192)",
        "tile = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 8192)",
        "asc.data_copy(tile, x_gm, 8192)",
        "breakpoint()",
        parameters="x: asc.GlobalAddress",
    )
    x, seen = np.arange(8192, dtype=np.float32), []
    with terminal():
        sys.breakpointhook = lambda: seen.append(sys._getframe(1).f_locals["tile"])
        kernel[1](x)
    np.testing.assert_array_equal(seen[0], x)


def test_views_outlive_the_launch():
    lines = ["tile = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 64)", "tile.set_value(0, f)", "breakpoint()"]
    frames, x, h = variables(*lines, blocks=3)
    tiles = [frame["tile"] for frame in frames]
    views = [frame["x"] for frame in frames]
    del frames, x, h
    for _ in range(3):
        variables(*[line.replace("f)", "9.0)") for line in lines], blocks=3)
    gc.collect()
    assert [tile[0] for tile in tiles] == [0.5] * 3
    assert len({tile.ctypes.data for tile in tiles}) == 3
    assert [view[63] for view in views] == [63.0] * 3


def test_objects_of_the_compiler_say_what_they_are():
    lines = [
        "pipe = asc.TPipe()",
        "q = asc.TQue(asc.TPosition.VECIN, 2)",
        "b = asc.TBuf(asc.TPosition.VECCALC)",
        "tensors = asc.ListTensorDesc()",
        "tensor = asc.TensorDesc(asc.int16)",
        "def g(v):",
        "    return v",
        "breakpoint()",
    ]
    [frame], _, _ = variables(*lines)
    assert [repr(frame[name]) for name in ["pipe", "q", "b", "tensors", "tensor", "g"]] == [
        "<TPipe>",
        "<TQue from GM to VECIN, depth 2>",
        "<TBuf in VECCALC>",
        "<ListTensorDesc>",
        "<TensorDesc of int16>",
        "<the function 'g'>",
    ]


OBJECTS = """import asc
import dataclasses


@dataclasses.dataclass(frozen=True)
class Pair:
    a: object
    b: object


class Slots:
    __slots__ = ("low", "pairs")

    def __init__(self, low, pairs):
        self.low = low
        self.pairs = pairs


class Counter:
    def __init__(self, first):
        self.first = first

    @asc.jit
    def after(self, steps):
        reached = self.first + steps
        breakpoint()
        return reached


@asc.jit
def kernel(n: int):
    pair = Pair(n, "b")
    slots = Slots(n + 1, (pair, None))
    params = asc.DataCopyParams(1, n, 0, 0)
    last = Counter(n).after(2)
    breakpoint()
"""


def test_objects_that_the_kernel_made():
    module = load(OBJECTS)
    with terminal("p self.first, steps, reached", "c", "p pair", "p slots.low, slots.pairs", "p params.block_len, last", "c") as screen:
        module.kernel[1](3)
    answers = re.findall(r"\(Pdb\) p .*\n(.*)", screen.text)
    assert answers == ["(3, 2, 5)", "Pair(a=3, b='b')", "(4, (Pair(a=3, b='b'), None))", "(3, 5)"]


def test_structures_and_arrays():
    source = """import asc
from dataclasses import dataclass

@dataclass
class Tiling:
    n: int
    scale: float

@asc.jit
def kernel(given: Tiling):
    a = asc.array(asc.int16, [1, 2, given.n])
    own = Tiling(given.n + 1, 2.5)
    breakpoint()
    own.n = 9
    assert own.n + a[2] == 15
"""
    module = load(source)
    with terminal("p given, own, a", "n", "p own", "c") as screen:
        module.kernel[1](module.Tiling(6, 1.5))
    answers = re.findall(r"\(Pdb\) p .*\n(.*)", screen.text)
    assert answers == ["(Tiling(n=6, scale=1.5), Tiling(n=7, scale=2.5), <array of 3 elements of int16>)", "Tiling(n=9, scale=2.5)"]


def test_lists_and_dicts_are_as_they_are_at_the_statement():
    frames, _, _ = variables("v, d = [1], {}", "breakpoint()", "v.append(n)", "d['a'] = 2", "breakpoint()")
    assert [(frame["v"], frame["d"]) for frame in frames] == [([1], {}), ([1, 3], {"a": 2})]


def test_automatic_memory_is_not_used_up_by_looking_at_it():
    lines = ["x_gm = asc.GlobalTensor()", "x_gm.set_global_buffer(x, 64)"]
    for i in range(4):
        lines += [f"t{i} = asc.LocalTensorAuto(asc.float32, [12288])", f"asc.data_copy(t{i}, x_gm, 64)", f"asc.data_copy(x_gm, t{i}, 64)"]
    frames, x, _ = variables(*lines, *[f"t{i} = asc.LocalTensorAuto(asc.float32, [12288])" for i in range(4, 6)], "breakpoint()")
    assert frames[0]["t5"].shape == (12288,)
    np.testing.assert_array_equal(x, np.arange(64))


# ---------------------------------------------------------------- blocks

BLOCKS = """import asc


@asc.jit
def kernel(y: asc.GlobalAddress):
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y, 64)
    b = asc.get_block_idx()
    y_gm.set_value(b * 16, 1.0)
    breakpoint()
    c = b * 10
    y_gm.set_value(b * 16 + 1, 2.0)
    d = c + 1
    print("block", b)
"""


def test_blocks_come_one_after_the_other():
    with terminal("p b", "n", "p c", "c", "p b", "n", "n", "n", "n", "p b, d", "c", "p b", "c") as screen:
        load(BLOCKS).kernel[3](np.zeros(64, np.float32))
    assert re.findall(r"\(Pdb\) p .*\n(.*)", screen.text) == ["0", "0", "1", "(1, 11)", "2"]


def test_other_blocks_are_held_while_one_is_stepped():
    y = np.zeros(64, np.float32)
    with terminal("n", "n", "p y[:34].nonzero()[0].tolist()", "c", "n", "n", "p y[:34].nonzero()[0].tolist()", "c", "c") as screen:
        load(BLOCKS).kernel[3](y)
    before, after = re.findall(r"tolist\(\)\n\[(.*)\]", screen.text)
    assert before == "0, 1"
    assert after == "0, 1, 16, 17"


def test_more_blocks_than_cores():
    with terminal(*["c"] * 100) as screen:
        load(BLOCKS).kernel.options(check=False)[100](np.zeros(1600, np.float32)[:64].repeat(25))
    assert screen.commands == [] and len(screen.calls) == 100


def test_breakpoints_of_the_debugger_stop_all_blocks():
    with terminal("b 13", "c", "p b", "c", "c", "p b", "c", "c", "p b", "cl 1", "c") as screen:
        load(BLOCKS).kernel[3](np.zeros(64, np.float32))
    assert re.findall(r"\(Pdb\) p b\n(.*)", screen.text) == ["0", "1", "2"]


def test_a_breakpoint_at_a_function_stops_there():
    module = load(SOURCE)
    with terminal("tbreak scaled", "c", "p value", "c") as screen:
        module.kernel[1](*arrays(), 3)
    assert re.search(r"> kernel.py\(9\)scaled\(\)\n.*\n\(Pdb\) p value\n3\n", screen.text)


def test_lambdas_have_frames():
    kernel = kernel_of("double = lambda v: v * 2", "breakpoint()", "m = double(n) + double(1)", "print(m)")
    with terminal("s", "s", "p v", "r", "s", "s", "s", "p v", "c") as screen:
        kernel[1](4)
    assert screen.text.count("<lambda>()") >= 4 and re.findall(r"p v\n(.*)", screen.text) == ["4", "1"]


def test_the_block_is_named(capsys):
    with terminal("c", "c", "c"):
        load(BLOCKS).kernel[3](np.zeros(64, np.float32))
    assert capsys.readouterr().err == "".join(f"-- block {b} of 3\n" for b in range(3))


def test_text_appears_while_stepping():
    with contextlib.redirect_stdout(io.StringIO()) as out, terminal("n", "n", "n", "p out()", "n", "p out()", "c", "c") as screen:
        module = load(BLOCKS)
        module.out = out.getvalue
        module.kernel[2](np.zeros(64, np.float32))
    assert re.findall(r"out\(\)\n(.*)", screen.text) == ["''", "'block 0\\n'"]
    assert out.getvalue() == "block 0\nblock 1\n"


# ---------------------------------------------------------------- hooks and ends

ENDLESS = ["breakpoint()", "while n >= 0:", "    n = (n + 1) % 1000"]


def test_arguments_go_to_the_hook():
    kernel = kernel_of("breakpoint(1, 'a', mode=k)", parameters="k: asc.ConstExpr")
    with terminal("c") as screen:
        kernel[1]([2])
    assert screen.calls == [((1, "a"), {"mode": [2]})]


def test_quit_ends_the_launch():
    module = load(SOURCE)
    with terminal("n", "q") as screen, pytest.raises(bdb.BdbQuit) as caught:
        module.kernel[2](*arrays(), 3)
    assert len(screen.calls) == 1
    assert caught.traceback[-3].name == "kernel" or "kernel" in [entry.name for entry in caught.traceback]
    x, y = arrays()
    with terminal("c") as screen:
        module.kernel[1](x, y, 3)
    assert y[0] == 10


def test_quit_in_a_device_function():
    with terminal(f"tbreak {LINES['end of scaled']}", "c", "q"), pytest.raises(bdb.BdbQuit):
        load(SOURCE).kernel[1](*arrays(), 3)


def test_exceptions_of_the_hook_end_the_launch():
    def hook(frame):
        raise LookupError("not today")

    with pytest.raises(LookupError, match="not today"):
        variables("breakpoint()", "x_gm = asc.GlobalTensor()", hook=hook)


def test_printed_text_is_not_lost_when_a_launch_ends_early():
    with contextlib.redirect_stdout(io.StringIO()) as out, terminal("q"), pytest.raises(bdb.BdbQuit):
        kernel_of("print('before')", "breakpoint()", "print('after')", parameters="")[1]()
    assert out.getvalue() == "before\n"


@pytest.mark.parametrize("commands", [["c"], ["n", "n", "n", "n"]])
def test_faults_are_reported_as_usual(commands):
    source = SOURCE.replace("y_gm.set_value(1, ", "y_gm.set_value(16, ")
    with terminal(*commands, *["c"] * 3), pytest.raises(pyasc.errors.CheckError) as caught:
        load(source).kernel[1](*arrays(), 3)
    assert caught.value.code == "M105"


def test_a_fault_while_stepping_ends_the_function():
    kernel = kernel_of("breakpoint()", "asc.trap()", "n += 1")
    with terminal("n", "p n", "n", "c") as screen, pytest.raises(pyasc.errors.CheckError) as caught:
        kernel[1](3)
    assert caught.value.code == "M207"
    assert "--Return--\n> kernel.py(5)kernel()->None" in screen.text


def test_an_endless_loop_ends_at_its_limit():
    with terminal("c"), pytest.raises(pyasc.errors.CheckError) as caught:
        kernel_of(*ENDLESS).options(max_cycles=100_000, check=False)[1](0)
    assert caught.value.code == "M204"


def test_another_launch_at_the_prompt():
    module = load(SOURCE)
    x, y = arrays()
    module.z = np.zeros(1, np.float32)
    module.other = kernel_of(
        "z_gm = asc.GlobalTensor()", "z_gm.set_global_buffer(z)", "z_gm.set_value(0, 7.0)", parameters="z: asc.GlobalAddress"
    )
    with terminal("n", "other[1](z)", "p z", "n", "p total", "c") as screen:
        module.kernel.options(check=False)[1](x, y, 3)
    assert "array([7.], dtype=float32)" in screen.text
    assert (y[0], y[1]) == (10, 101)


def test_threads_do_not_mix():
    module = load(SOURCE)
    found, failures = {}, []
    barrier = threading.Barrier(2, timeout=60)

    def hook():
        frame = sys._getframe(1)
        barrier.wait()  # both kernels stand at their breakpoint
        time.sleep(0.01)
        found[threading.get_ident()] = frame.f_locals["n"]

    def run(n, y):
        try:
            module.kernel[1](np.arange(16, dtype=np.float32), y, n)
        except BaseException as error:
            failures.append(error)

    results = [np.zeros(16, np.float32) for _ in range(2)]
    with terminal():
        sys.breakpointhook = hook
        threads = [threading.Thread(target=run, args=(3 + i, y)) for i, y in enumerate(results)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures and sorted(found.values()) == [3, 4]
    assert [y[0] for y in results] == [10, 19]


def test_stepping_in_another_thread():
    failures = []

    def run():
        try:
            with terminal("n", "n", "p i", "c") as screen:
                load(SOURCE).kernel[1](*arrays(), 3)
            assert "(Pdb) p i\n0\n" in screen.text
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert not failures


def interrupt_soon():
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_ctrl_c_ends_the_launch():
    with terminal("c"), pytest.raises(KeyboardInterrupt):
        timer = interrupt_soon()
        kernel_of(*ENDLESS).options(check=False)[1](0)
    timer.join()


def test_ctrl_c_opens_the_debugger_when_its_handler_says_so():
    """After `continue` pdb handles SIGINT and stops where the program is."""
    with terminal("n", "p n >= 0", "q") as screen, pytest.raises(bdb.BdbQuit):

        def handler(number, frame):
            screen.hook()

        before = signal.signal(signal.SIGINT, handler)
        try:
            sys.breakpointhook = interrupt_soon
            kernel_of(*ENDLESS).options(check=False)[1](0)
        finally:
            signal.signal(signal.SIGINT, before)
    assert "(Pdb) p n >= 0\nTrue" in screen.text


PROGRAM = """import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    m = n + 1
    breakpoint()
    m = m * 2
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, m)


x = np.zeros(8, np.int32)
kernel[1](x, 20)
print("x[0] is", x[0])
"""


def run_program(tmp_path, commands="", **environment):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return subprocess.run([sys.executable, path], input=commands, capture_output=True, text=True, timeout=120, env=os.environ | environment)


def test_the_usual_hook_reads_from_stdin(tmp_path):
    first = ["n"] if sys.version_info >= (3, 13) else []  # from then on pdb stops at breakpoint() itself
    run = run_program(tmp_path, "\n".join([*first, "p m", "n", "p m", "w", "c"]) + "\n")
    assert run.returncode == 0, run.stderr
    shown = run.stdout.replace(f"{tmp_path}/", "")
    assert "> program.py(9)kernel()\n-> m = m * 2\n(Pdb) 21\n(Pdb) > program.py(10)kernel()\n" in shown
    assert "-> x_gm = asc.GlobalTensor()\n(Pdb) 42\n" in shown
    assert "  program.py(16)<module>()\n-> kernel[1](x, 20)\n> program.py(10)kernel()\n" in shown
    assert shown.endswith("x[0] is 42\n")


def test_the_hook_can_be_switched_off(tmp_path):
    run = run_program(tmp_path, PYTHONBREAKPOINT="0")
    assert (run.stdout, run.stderr, run.returncode) == ("x[0] is 42\n", "", 0)


def test_end_of_input_quits(tmp_path):
    run = run_program(tmp_path, "n\n")
    assert run.returncode == 1 and "bdb.BdbQuit" in run.stderr


# ---------------------------------------------------------------- what is compiled


def test_nothing_is_emitted_for_it():
    x, y = arrays()
    plain = load(SOURCE.replace("    breakpoint()", "    pass        ")).kernel.compile(x, y, 3)
    with pytest.warns(pyasc.errors.PyascWarning, match="L313"):
        stopping = load(SOURCE).kernel.compile(x, y, 3)
    strip = lambda text: re.sub(r'#line \d+ ".*"', "#line", text)  # noqa: E731
    assert strip(stopping.ascendc) == strip(plain.ascendc)
    assert "statement" not in plain.listing and "statement breakpoint" in re.sub(" +", " ", stopping.listing)
    assert "statement" not in stopping.ir


def test_launches_do_not_warn(recwarn):
    with terminal("c"):
        load(SOURCE).kernel[1](*arrays(), 3)
    assert not recwarn.list


def test_it_is_kept_in_memory_only():
    kernel = load(SOURCE.replace("SIZE = 16", "SIZE = 12 + 4")).kernel
    for _ in range(2):
        with terminal("c"):
            kernel[1](*arrays(), 3)
    info = kernel.cache_info()
    assert (info.compiles, info.memory_hits, info.disk_hits) == (1, 1, 0)
    again = load(SOURCE.replace("SIZE = 16", "SIZE = 12 + 4")).kernel
    with terminal("c"):
        again[1](*arrays(), 3)
    assert again.cache_info().compiles == 1
    assert again.cache_info().last.endswith("not kept on disk: it calls breakpoint()")


def test_a_breakpoint_that_is_not_reached_while_compiling_costs_nothing():
    source = SOURCE.replace("n: int):", "n: int, stop: asc.ConstExpr = False):")
    kernel = load(source.replace("    breakpoint()", "    if stop:\n        breakpoint()")).kernel
    assert "statement" not in kernel.compile(*arrays(), 3).listing
    with terminal("p stop", "c") as screen:
        kernel[1](*arrays(), 3, True)
    assert "True" in screen.text


def test_the_program_file_of_a_debug_form_can_be_read():
    with pytest.warns(pyasc.errors.PyascWarning):
        compiled = load(SOURCE).kernel.compile(*arrays(), 3)
    assert compiled.binary.startswith(b"ASCPROG")


def test_kernels_are_collected():
    class Marker:
        pass

    kernel = kernel_of("breakpoint()", "n += 1")
    kernel.fn.__globals__["marker"] = Marker()
    gone = weakref.ref(kernel.fn.__globals__["marker"])
    with terminal("c"):
        kernel[1](3)
    del kernel
    gc.collect()
    assert gone() is None


def test_breakpoint_through_other_names():
    kernel = kernel_of("stop()", "n += 1", "builtins.breakpoint()", "n += 1")
    kernel.fn.__globals__.update(stop=breakpoint, builtins=builtins)
    with terminal("p n", "c", "p n", "c") as screen:
        kernel[1](1)
    assert re.findall(r"p n\n(\d)", screen.text) == ["1", "2"]


def test_the_page_shows_what_the_debugger_shows():
    page = (Path(__file__).parents[2] / "docs" / "debugging.md").read_text()
    section = page[page.index("## Stepping through a kernel") :]
    program, shown = re.search(r"```python no-run\n(.*?)```.*?```text\n(.*?)```", section, re.DOTALL).groups()
    commands = re.findall(r"^\(Pdb\) (.*)$", shown, re.MULTILINE)
    with terminal(*commands) as screen:
        load(program)
    assert screen.text.replace("kernel.py", "program.py") == shown
