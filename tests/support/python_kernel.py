# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels made from text: the same body runs as a kernel and in CPython, so that CPython is the oracle of the language rules."""

import contextlib
import io
import itertools
import linecache
import textwrap

import asc
import numpy as np
import pytest
from pyasc.errors import PyascError

SIZE = 64
UNTOUCHED = 99
_numbers = itertools.count()


def define(text, name, **names):
    """Execute `text`, registered as a source file, with `asc` and `names` as globals; return what it calls `name`."""
    filename = f"<kernel text {next(_numbers)}>"
    text = textwrap.dedent(text)
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope = {"asc": asc, "np": np, **names}
    exec(compile(text, filename, "exec"), scope)
    return scope[name]


def kernel_of(body, parameters="", before="", **names):
    """A kernel with `g`, a GlobalTensor over its first argument, and `parameters`; `body` stores its results with g.set_value. The text
    `before` stands before the kernel."""
    head = f"@asc.jit\ndef kernel(out: asc.GlobalAddress, {parameters}):\n"
    buffer = f"    g = asc.GlobalTensor()\n    g.set_global_buffer(out, {SIZE})\n"
    return define(before + head + buffer + textwrap.indent(textwrap.dedent(body), "    "), "kernel", **names)


def run(kernel, *args, dtype=np.int32):
    out = np.full(SIZE, UNTOUCHED, dtype)
    kernel[1](out, *args)
    return out


class Results:
    """Stands for the GlobalTensor when CPython runs the body."""

    def __init__(self, dtype):
        self.values = np.full(SIZE, UNTOUCHED, dtype)

    def set_value(self, index, value):
        self.values[index] = value

    def get_value(self, index):
        return self.values[index].item()


def python_of(body, parameters="", before="", **names):
    text = f"{before}def function(g, {parameters}):\n" + textwrap.indent(textwrap.dedent(body), "    ")
    plain = {key: getattr(value, "__asc_jit__", value) for key, value in names.items()}
    return define(text, "function", **{**plain, "asc": _HostAsc})


class HostArray:
    """An asc.array in CPython: what is stored is converted to the dtype as NumPy does it."""

    def __init__(self, dtype, values, fill_value=None):
        values = [0 if fill_value is None else fill_value] * values if isinstance(values, int) else values
        self.dtype, self.length = dtype, len(values)
        self.values = [self.converted(value) for value in values]

    def converted(self, value):
        return np.dtype(str(self.dtype)).type(value).item()

    def __getitem__(self, index):
        assert 0 <= index < self.length
        return self.values[index]

    def __setitem__(self, index, value):
        assert 0 <= index < self.length
        self.values[index] = self.converted(value)

    def __len__(self):
        return self.length

    def __iter__(self):
        return (self[i] for i in range(self.length))


class _HostAsc:
    """What bodies may use of asc, in CPython."""

    array = HostArray
    range = range
    static_range = range
    int8, int16, int32, int64, uint8, float32 = asc.int8, asc.int16, asc.int32, asc.int64, asc.uint8, asc.float32
    GlobalAddress = ConstExpr = None

    @staticmethod
    def number(value, dtype):
        return np.dtype(str(dtype)).type(value)

    @staticmethod
    def jit(function):
        return function

    @staticmethod
    def ceildiv(x, y):
        return -(-x // y)


def printing(function, *args, **options):
    """What a call returns, and the text that it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        return function(*args, **options), out.getvalue()


def bits(values):
    """All NaN are one."""
    if values.dtype.kind != "f":
        return values
    return np.where(np.isnan(values), values.dtype.type(np.nan), values).view(f"u{values.itemsize}")


def same_as_python(body, *calls, parameters="", dtype=np.int32, before="", **names):
    """Run `body`, after the definitions in `before`, with each tuple of arguments in `calls` as a kernel and in CPython; all results have
    the same bits, and the same text is printed."""
    before = textwrap.dedent(before)
    kernel, function = kernel_of(body, parameters, before, **names), python_of(body, parameters, before, **names)
    for args in calls or [()]:
        expected = Results(dtype)
        with np.errstate(all="ignore"):
            _, expected_text = printing(function, expected, *args)
            got, text = printing(run, kernel, *args, dtype=dtype)
        if not np.array_equal(bits(got), bits(expected.values)):
            np.testing.assert_array_equal(got, expected.values, err_msg=f"{body} with {args}")
            raise AssertionError(f"{body} with {args}: the sign of a zero differs")
        assert text == expected_text, f"{body} with {args}"


def refused(body, code, *args, parameters="", line=None, **names):
    """Compiling the body fails with `code`, pointing at the line of the body that contains the comment `# here` (or at `line`)."""
    kernel = kernel_of(body, parameters, **names)
    with pytest.raises(PyascError) as caught:
        kernel.compile(np.zeros(SIZE, np.int32), *args)
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.code == code, f"{diagnostic.code}: {diagnostic.message}"
    lines = textwrap.dedent(body).splitlines()
    marked = [i for i, text in enumerate(lines, 1) if "# here" in text]
    if line is None and marked:
        line = marked[0]
    if line is not None:
        assert diagnostic.span.line == line + 4, f"line {diagnostic.span.line - 4} of the body: {diagnostic.message}"
    return diagnostic
