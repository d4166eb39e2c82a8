# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is not part of the language, and what goes wrong while Python evaluates: code, line, help; never a hang."""

import linecache
import subprocess
import sys
import time

import asc
import numpy as np
import pytest
from pyasc.errors import CompileError, PyascError
from support.python_kernel import define, kernel_of, refused

SYNTAX = {
    "async def": "async def f():  # here\n    pass",
    "class": "class C:  # here\n    pass",
    "del": "x = 1\ndel x  # here",
    "match": "match n:  # here\n    case 1:\n        pass",
    "raise": "raise ValueError  # here",
    "try": "try:  # here\n    pass\nfinally:\n    pass",
    "import": "import os  # here",
    "from import": "from os import path  # here",
    "global": "global zzz  # here",
    "generator": "x = enumerate(i for i in (1, 2))  # here",
}


@pytest.mark.parametrize("body", SYNTAX.values(), ids=SYNTAX.keys())
def test_syntax_outside_the_language(body):
    d = refused(body, "L001", 3, parameters="n: int")
    assert d.help and d.span.end_line >= d.span.line and d.span.file.startswith("<kernel text")


def test_async_function_that_is_called():
    function = define("@asc.jit\nasync def function(x):\n    pass", "function")
    assert "async" in refused("function(n)", "L001", 3, parameters="n: int", function=function).message


def test_span_is_exact():
    d = refused("x = 1 + (2 * undefined)", "L102")
    assert (d.span.column, d.span.end_column) == (4 + 13, 4 + 22)


NAMES = {
    "undefined": ("x = undefined_name  # here", "L102"),
    "attribute": ("asc.no_such_api(g)  # here", "L102"),
    "tensor attribute": ("g.no_such_method()  # here", "L402"),
    "builtin": ("open('f')  # here", "L110"),
    "print": ("print(g)  # here", "T502"),
    "print to a file": ("print(n, file=None)  # here", "L401"),
    "separator": ("print(n, sep=1)  # here", "T103"),
    "printf of a tensor": ("asc.printf('%d', g)  # here", "T502"),
    "printf of a float": ("asc.printf('%d', 0.5)  # here", "T502"),
    "printf of an int": ("asc.printf('%f', n)  # here", "T502"),
    "printf of a number as text": ("asc.printf('%s', n)  # here", "T502"),
    "printf of text as a number": ("asc.printf('%d', 'n')  # here", "T502"),
    "printf of a number as an address": ("asc.printf('%p', n)  # here", "T502"),
    "printf with too few values": ("asc.printf('%d %d', n)  # here", "T502"),
    "printf with too many values": ("asc.printf('%d', n, n)  # here", "T502"),
    "printf with an unknown conversion": ("asc.printf('%e', n)  # here", "T501"),
    "printf without a format": ("asc.printf(n)  # here", "T103"),
    "printf of nothing": ("asc.printf()  # here", "L401"),
    "printf with a keyword": ("asc.printf('%d', value=n)  # here", "L401"),
    "printf of NUL": ("asc.printf('a\\0b')  # here", "T501"),
    "printf of a lone surrogate": ("asc.printf('\\ud800')  # here", "T501"),
    "printf of very long text": ("print('a' * 40000)  # here", "T501"),
    "format spec of a run-time value": ("print(f'{n:^5}')  # here", "T501"),
    "format spec for floats": ("print(f'{n:.2f}')  # here", "T501"),
    "format spec with digits only": ("print(f'{n * 0.5:.3}')  # here", "T501"),
    "before assignment": ("y = x  # here\nx = 1", "L101"),
    "unpack": ("a, b = (1, 2, 3)  # here", "L103"),
    "unpack number": ("a, b = n  # here", "T106"),
    "iterate number": ("for i in n:  # here\n    pass", "T106"),
    "iterate int": ("for i in 5:  # here\n    pass", "T106"),
    "call number": ("n()  # here", "L108"),
    "call tensor": ("g(3, 4)  # here", "L401"),
    "return value": ("return n  # here", "L104"),
    "store into tensor": ("g[0] = 1  # here", "T303"),
    "slice with stop": ("x = g[0:4]  # here", "T303"),
    "two indices": ("x = g[0, 1]  # here", "T303"),
    "negative index": ("x = g[-1]  # here", "T302"),
    "float index": ("x = g[1.5]  # here", "T103"),
    "run-time index of a list": ("x = [1, 2][n]  # here", "T109"),
    "assert of a tensor": ("assert g  # here", "T104"),
    "failed assert": ("assert 1 > 2, 'reason'  # here", "L205"),
    "static_assert": ("asc.static_assert(1 > 2, 'reason')  # here", "L205"),
    "exception": ("x = 1 // 0  # here", "L201"),
    "type error": ("x = 'a' + 1  # here", "L201"),
    "key error": ("x = {}['k']  # here", "L201"),
    "host object": ("HOST.append(1)  # here", "L304"),
    "host item": ("HOST[0] = 1  # here", "L304"),
    "no buffer": ("t = asc.GlobalTensor()\nt.set_value(0, 1)  # here", "T301"),
    "no buffer dtype": ("t = asc.GlobalTensor()\nx = t.dtype  # here", "T304"),
    "buffer is no address": ("g.set_global_buffer(5)  # here", "T103"),
    "shift count": ("x = n << 40  # here", "T108"),
    "huge number": ("g.set_value(0, 2**80)  # here", "T101"),
    "value too large": ("g.set_value(0, 2**40)  # here", "T101"),
    "bad dtype": ("x = asc.number(1, 'int32')  # here", "T103"),
    "plain api on nothing": ("asc.add()  # here", "T401"),
    "wrong enum": ("asc.set_flag(asc.PipeID.PIPE_V, 0)  # here", "T401"),
    "run-time flag": ("asc.adds(g, g, 1, 8, is_set_mask=n > 1)  # here", "T401"),
}


@pytest.mark.parametrize("body, code", NAMES.values(), ids=NAMES.keys())
def test_mistakes(body, code):
    d = refused(body, code, 3, parameters="n: int", HOST=[1])
    assert d.message and not d.message.endswith(".")


LOCAL = {
    "misaligned": ("t = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 8, 64)  # here", "T306"),
    "overflow": (
        """
            a = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 1024)
            t = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 4096, 65536)  # here
            """,
        "T307",
    ),
    "position": ("t = asc.LocalTensor(asc.float32, asc.TPosition.GM, 0, 64)  # here", "T305"),
    "place without dtype": ("t = asc.LocalTensor(addr=0)  # here", "T304"),
    "no dtype": ("t = asc.LocalTensor()\nasc.duplicate(t, 1, 8)  # here", "T401"),
    "method of no dtype": ("t = asc.LocalTensor()\nt.set_value(0, 1)  # here", "L102"),
    "dtype": ("t = asc.LocalTensor(5)  # here", "T103"),
}


@pytest.mark.parametrize("body, code", LOCAL.values(), ids=LOCAL.keys())
def test_local_tensors(body, code):
    refused(body, code)


def test_overflow_lists_what_fills_the_memory():
    d = refused(LOCAL["overflow"][0], "T307")
    assert "196608" in d.message and len(d.notes) == 1 and "'a'" in d.notes[0].text and d.notes[0].span.line == 6


def test_forms_are_listed():
    d = refused("t = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 64)\nasc.add(t, t, 3, 64)  # here", "T401")
    forms, passed, reason = [note.text for note in d.notes]
    assert forms.count("add(") == 3 and passed.splitlines()[-1] == "  64 (int)" and "'src1'" in reason


def test_rule_points_at_the_argument():
    with pytest.raises(PyascError) as caught:
        kernel_of("t = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 64)\nasc.duplicate(t, 0.0, 65)").compile(np.zeros(64, np.int32))
    d = caught.value.diagnostics[0]
    assert d.code.startswith("R") and d.span.line == 6


BOUNDED = {
    "power": ("x = 2 ** 10 ** 9", "L203"),
    "shift": ("x = 1 << 10 ** 9", "L203"),
    "growing product": ("x = 3\nfor i in asc.static_range(40):\n    x = x * x", "L203"),
    "list": ("x = [0] * 10 ** 10", "L203"),
    "text": ("x = 'a' * 10 ** 10", "L203"),
    "list of range": ("x = list(range(10 ** 12))", "L202"),
    "sum of range": ("x = sum(range(10 ** 12))", "L202"),
    "max of range": ("x = max(range(10 ** 12))", "L202"),
    "unpacked range": ("a, *b = range(10 ** 12)", "L202"),
    "bytes": ("x = bytes(10 ** 12)", "L203"),
    "growing text": ("x = 'ab'\nfor i in asc.static_range(60):\n    x = x + x", "L203"),
    "growing tuple": ("x = (1,)\nfor i in asc.static_range(60):\n    x += x", "L203"),
    "growing list": ("x = [1]\nfor i in asc.static_range(60):\n    x += x", "L203"),
    "extended list": ("x = [1]\nfor i in asc.static_range(60):\n    x.extend(x)", "L203"),
    "width in %": ("x = '%2000000d' % 1", "L203"),
    "width in f-string": ("x = f'{1:2000000}'", "L203"),
    "width in format": ("x = '{:2000000}'.format(1)", "L203"),
    "replaced text": ("x = 'aaaa'.replace('a', 'b' * 10 ** 6)", "L203"),
    "no memory": ("x = '%099999999999d' % 1", "L203"),
    "tuple in a branch": ("x = ()\nfor i in asc.static_range(100000):\n    x = (x,)\nif n > 0:\n    x = (x,)\ng.set_value(0, x)", "L204"),
    "deep expression": ("x = " + "-" * 80 + "n", None),
}


@pytest.mark.parametrize("body, code", BOUNDED.values(), ids=BOUNDED.keys())
def test_compiling_always_ends(body, code):
    start = time.monotonic()
    if code:
        refused(body, code, 3, parameters="n: int")
    else:
        kernel_of(body, "n: int").compile(np.zeros(64, np.int32), 3)
    assert time.monotonic() - start < 10


def test_python_exception_is_the_cause():
    kernel = kernel_of("x = {}['k']")
    with pytest.raises(CompileError) as caught:
        kernel.compile(np.zeros(64, np.int32))
    assert isinstance(caught.value.__cause__, KeyError)


def test_kernel_only_functions_on_the_host():
    for action in (
        asc.GlobalTensor,
        lambda: asc.LocalTensor(asc.float32),
        lambda: asc.add(1, 2, 3, 4),
        lambda: asc.number(1, asc.int8),
        asc.get_block_idx,
    ):
        with pytest.raises(PyascError) as caught:
            action()
        assert caught.value.code == "L301"


def test_values_do_not_survive_their_compilation():
    kept = {}

    class Keeper:
        def __setattr__(self, name, value):
            kept[name] = value

    first = kernel_of("k = Keeper()\nk.value = n + 1", "n: int", Keeper=Keeper)
    first.compile(np.zeros(64, np.int32), 1)
    second = kernel_of("g.set_value(0, kept['value'])  # here", kept=kept)
    with pytest.raises(PyascError) as caught:
        second.compile(np.zeros(64, np.int32))
    assert caught.value.code == "L302"


# ---------------------------------------------------------------- source text


def test_source_that_was_changed():
    kernel = kernel_of("g.set_value(0, 1)")
    filename = kernel.__asc_jit__.__code__.co_filename
    size, _, lines, name = linecache.cache[filename]
    linecache.cache[filename] = (size, None, [line.replace("(0, 1)", "(0, 2)") for line in lines], name)
    with pytest.raises(PyascError) as caught:
        kernel.compile(np.zeros(64, np.int32))
    assert caught.value.code == "L502"


def test_function_on_the_first_line():
    function = define("@asc.jit\ndef function(x):\n    if False:\n        asc.get_block_idx()\n    return y  # here", "function")
    assert refused("function(n)", "L102", 3, parameters="n: int", function=function).span.line == 5


def test_source_that_does_not_exist():
    scope = {"asc": asc}
    exec(compile("@asc.jit\ndef kernel(x: asc.GlobalAddress):\n    pass\n", "<nowhere>", "exec"), scope)
    with pytest.raises(PyascError) as caught:
        scope["kernel"].compile(np.zeros(64, np.int32))
    assert caught.value.code == "L501"


def decorated(function):
    return function


def test_functions_in_odd_places():
    factor = 3

    class Holder:
        @asc.jit
        @decorated
        def kernel(out: asc.GlobalAddress):  # a comment
            """A docstring

            with a line at the margin."""
            g = asc.GlobalTensor()
            g.set_global_buffer(out, 64)
            g.set_value(0, factor)
            pass

    out = np.zeros(64, np.int32)
    Holder.kernel[1](out)
    assert out[0] == 3


def test_continued_lines_and_semicolons():
    kernel = define(
        """
            @asc.jit
            def kernel(out: asc.GlobalAddress,
                       n: int): g = asc.GlobalTensor(); g.set_global_buffer(out, 64); g.set_value(0,
              n)
            """,
        "kernel",
    )
    out = np.zeros(64, np.int32)
    kernel[1](out, 6)
    assert out[0] == 6


def test_the_program_of_an_option_c():
    program = """
import asc, numpy as np
from pyasc.errors import PyascError
text = '@asc.jit{0}def kernel(x: asc.GlobalAddress):{0} g = asc.GlobalTensor(){0} g.set_global_buffer(x, 4){0} g.set_value(0, 5){0}'
@asc.jit
def kernel(x: asc.GlobalAddress):
    g = asc.GlobalTensor()
    g.set_global_buffer(x, 4)
    g.set_value(0, 7)
out = np.zeros(4, np.int32)
kernel[1](out)
print(out[0])
exec(text.format(chr(10)))
try:
    kernel[1](out)
except PyascError as error:
    print(error.code)
"""
    done = subprocess.run([sys.executable, "-Wd", "-Bc", program, "argument"], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("7\nL501\n", "")


def test_deeper_than_the_ast_module_reads(monkeypatch):
    def parse(*args):
        raise RecursionError("maximum recursion depth exceeded")  # from some 1000 nested operators on, depending on the Python version

    monkeypatch.setattr("pyasc._source.ast.parse", parse)
    refused("x = 1 + 1", "L204")
