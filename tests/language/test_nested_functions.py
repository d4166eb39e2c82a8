# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lambdas and functions inside of kernels, := and parameters with a star: as CPython has them."""

import asc
import numpy as np
import pytest
from pyasc.errors import PyascError
from support.python_kernel import define, kernel_of, refused, run, same_as_python

N = [(n,) for n in (-3, 0, 1, 4, 9)]

FUNCTIONS = {
    "lambda": "f = lambda x, y=n: x * y + n\ng.set_value(0, f(3))\ng.set_value(1, f(3, 4))\ng.set_value(2, f(y=1, x=n))",
    "called at once": "g.set_value(0, (lambda a, *, k=2: a - k)(n, k=n + 5))",
    "variables as they are at the call": "k = 1\nf = lambda x: x + k\nk = n\ng.set_value(0, f(5))\nk = 7\ng.set_value(1, f(5))",
    "defaults as they are at the definition": "k = n\nf = lambda x=k: x\nk = 7\ng.set_value(0, f())",
    "def": """
        def f(x):
            y = x * 2
            if y > n:
                return y - n
            y += 1
            return y
        for i in range(3):
            g.set_value(i, f(i))
        """,
    "loops and returns inside": """
        def first(start, bound):
            for i in range(start, bound):
                if i * i > n:
                    return i
            return -1
        g.set_value(0, first(0, 3))
        g.set_value(1, first(1, 9))
        g.set_value(2, first(first(0, 4), 5))
        """,
    "without a result": "def f(i):\n    g.set_value(i, n)\nx = f(3)\nassert x is None\nf(n % 4)",
    "variables of its own": "x = n\ndef f(y):\n    x = y * 2\n    return x\ng.set_value(0, f(3) + x)",
    "nested twice": """
        def outer(a):
            def inner(b):
                return a * b + n
            return inner(a) + inner(2)
        g.set_value(0, outer(3))
        g.set_value(1, outer(n))
        """,
    "returned": "make = lambda k: lambda x: x * k + n\nf, h = make(2), make(n)\ng.set_value(0, f(5))\ng.set_value(1, h(5))",
    "passed on": "twice = lambda f, x: f(f(x))\ng.set_value(0, twice(lambda v: v * 3 + n, 2))",
    "in a table": "t = {'+': lambda a, b: a + b, '-': lambda a, b: a - b}\ng.set_value(0, t['+'](n, 2))\ng.set_value(1, t['-'](n, 2))",
    "in a comprehension": "fs = [lambda x: x + i for i in range(3)]\nfor j, f in enumerate(fs):\n    g.set_value(j, f(n))",
    "with the value of a comprehension": "fs = [lambda x, i=i: x + i for i in range(3)]\nfor j in (0, 1, 2):\n    g.set_value(j, fs[j](n))",
    "comprehension inside": "f = lambda k: sum([i * k for i in range(4)])\ng.set_value(0, f(n))",
    "in branches": """
        f = lambda x: x * n
        if n > 0:
            k = f(3)
        else:
            f2 = lambda x: f(x) - 1
            k = f2(5)
        g.set_value(0, k)
        """,
    "defined in a loop": """
        total = 0
        for i in range(4):
            def f(x):
                return x * i + n
            total += f(2)
        g.set_value(0, total)
        """,
    "over a loop variable": """
        k = 0
        f = lambda x: x + k
        for i in range(5):
            k = k + f(i)
        g.set_value(0, k)
        g.set_value(1, f(1))
        """,
    "star": """
        def f(a, *rest, k=1):
            return a * k + len(rest) + sum(rest)
        g.set_value(0, f(n))
        g.set_value(1, f(1, 2, n))
        g.set_value(2, f(*[n, 4, 5], k=n))
        g.set_value(3, (lambda *a: a[-1])(3, n))
        """,
    "positional only": "f = lambda a, /, b: a - b\ng.set_value(0, f(n, b=2))",
    "key of sorted": "for i, v in enumerate(sorted([(1, 9), (2, 3), (3, 5)], key=lambda p: p[1])):\n    g.set_value(i, v[0])",
    "key of max": "g.set_value(0, max((-5, 3, 4), key=lambda v: v * v) + n)",
    "callable": "f = lambda: 1\ng.set_value(0, callable(f) and f is f and f is not None)",
    "conditional result": "f = lambda x: x if x > n else -x\ng.set_value(0, f(2) + f(5))",
}


@pytest.mark.parametrize("body", FUNCTIONS.values(), ids=FUNCTIONS.keys())
def test_functions(body):
    same_as_python(body, *N, parameters="n: int")


WALRUS = {
    "condition": "if (x := n + 1) > 2:\n    g.set_value(0, x)\nelse:\n    g.set_value(1, x)",
    "expression": "g.set_value(0, (x := n * 2) + x)",
    "while": "i = 0\nwhile (x := n - i) > 0:\n    g.set_value(i, x)\n    i += 1\ng.set_value(20, x)",
    "while that assigns before": "x = 0\nwhile (x := x + 2) < n:\n    g.set_value(x, x)\ng.set_value(20, x)",
    "while of another type": "x = 1\ni = 0\nwhile (x := x * 0.5) > 0.1:\n    i += 1\ng.set_value(0, i)\ng.set_value(1, int(x * 1000))",
    "while with break": """
        i = 0
        while (x := n - i) > 0:
            i += 1
            if x == 2:
                break
            g.set_value(i, x)
        else:
            g.set_value(21, x)
        g.set_value(20, x)
        """,
    "while that never runs": "x = 5\nwhile x := 0:\n    x = 3\ng.set_value(0, x)",
    "for": "y = 0\nfor i in range(4):\n    if (y := y + n) > 5:\n        g.set_value(i, y)\ng.set_value(10, y)",
    "for with continue": "s = 0\nfor i in range(6):\n    if (y := i * n) % 2:\n        continue\n    s += y\ng.set_value(0, s)",
    "in a comprehension": "a = [y := n + i for i in range(3)]\ng.set_value(0, y)\ng.set_value(1, a[0])",
    "condition of a comprehension": "a = [y + n for i in range(6) if (y := i * 3 % 4) > 1]\ng.set_value(0, sum(a))\ng.set_value(9, y)",
    "in a loop in a comprehension": """
        y = 0
        for j in range(3):
            a = [y := y + n + i for i in range(3)]
            g.set_value(j, a[1])
        g.set_value(9, y)
        """,
    "in a lambda": "y = 5\nf = lambda x: (y := x + 1) * y\ng.set_value(0, f(n))\ng.set_value(1, y)",
    "short circuit": "x = 7\nif n > 0 and (x := n * 2) > 3:\n    g.set_value(0, 1)\ng.set_value(1, x)",
    "any": "if any((w := i) > n for i in (1, 2, 3)):\n    g.set_value(0, 1)\ng.set_value(1, w)",
}


@pytest.mark.parametrize("body", WALRUS.values(), ids=WALRUS.keys())
def test_walrus(body):
    same_as_python(body, *N, parameters="n: int")


def test_names_of_comprehensions_do_not_hide_globals():
    same_as_python("a = [scale for scale in range(3)]\ng.set_value(0, scale + len(a))", scale=40)


@asc.jit
def total(first, *rest, scale=1, bias: asc.ConstExpr[int] = 0):
    for value in rest:
        first += value
    return first * scale + bias


def test_device_functions_with_a_star():
    body = """
        g.set_value(0, total(n))
        g.set_value(1, total(n, 2, n + 1))
        g.set_value(2, total(1, *(n, 5), scale=n, bias=3))
        g.set_value(3, total(*[n] * 4))
        """
    same_as_python(body, *N, parameters="n: int", total=total)


def test_device_functions_that_define_functions():
    source = """
        @asc.jit
        def device(x, k):
            add = lambda v: v + k
            def again(v):
                return add(add(v))
            return again(x)

        @asc.jit
        def kernel(out: asc.GlobalAddress, n: int):
            g = asc.GlobalTensor()
            g.set_global_buffer(out, 64)
            g.set_value(0, device(n, 3))
            g.set_value(1, device(n, n))
        """
    assert run(define(source, "kernel"), 5)[:2].tolist() == [11, 15]


def test_closures_of_kernels_reach_into_their_functions():
    scale, unused = 3, 4

    @asc.jit
    def kernel(out: asc.GlobalAddress, n: int):
        g = asc.GlobalTensor()
        g.set_global_buffer(out, 64)
        f = lambda x: x * scale + n  # noqa: E731
        g.set_value(0, f(2))
        g.set_value(1, sum(scale + i for i in range(3)))

    assert run(kernel, 5)[:2].tolist() == [11, 12] and unused == 4


def test_tensors_in_nested_functions():
    source = """
        @asc.jit
        def kernel(out: asc.GlobalAddress):
            g = asc.GlobalTensor()
            def attach(t, address):
                t.set_global_buffer(address, 64)
                return t
            store = lambda i, v: attach(g, out).set_value(i, v)
            store(0, 4)
            g.set_value(1, 5)
        """
    assert run(define(source, "kernel"))[:3].tolist() == [4, 5, 99]


REFUSED = {
    "recursion": ("def f(x):\n    return f(x)  # here\ng.set_value(0, f(n))", "L109"),
    "recursion of a lambda": ("f = lambda x: f(x - 1)  # here\ng.set_value(0, f(n))", "L109"),
    "decorator": ("@asc.jit  # here\ndef f(x):\n    return x", "L001"),
    "keyword twice": ("f = lambda **k: 1\nx = f(a=1, **{'a': 2})  # here", "L401"),
    "too many": ("f = lambda a: a\nx = f(1, 2)  # here", "L401"),
    "missing": ("f = lambda a, *, b: a\nx = f(1)  # here", "L401"),
    "unknown keyword": ("f = lambda a, *rest: a\nx = f(1, rest=2)  # here", "L401"),
    "positional only by name": ("f = lambda a, /: a\nx = f(a=1)  # here", "L401"),
    "variable of its own too early": ("y = n\ndef f():\n    x = y  # here\n    y = 2\nf()", "L101"),
    "variable of the outer function too early": ("f = lambda: y  # here\nx = f()\ny = n", "L101"),
    "set on one path only": ("if n > 0:\n    y = 1\nf = lambda: y  # here\nx = f()", "L105"),
    "two functions": ("f = lambda: 1\nif n > 0:\n    f = lambda: 2\nx = f()  # here", "L106"),
    "generator": ("def f():\n    yield n  # here\nx = f()", "L001"),
    "nonlocal": ("x = 1\ndef f():\n    nonlocal x  # here\n    x = 2\nf()", "L001"),
    "returned from a device function": ("f = make(n)\ng.set_value(0, f(2))  # here", "L312"),
    "error in a key": ("x = sorted([1, 2], key=lambda v: v + zzz)  # here", "L102"),
    "run-time key": ("x = sorted([1, 2], key=lambda v: v + n)  # here", "T109"),
    "walrus on one path": ("if n > 3 and (x := n) > 5:\n    pass\ny = x  # here", "L105"),
}


@asc.jit
def make(k):
    return lambda x: x + k


@pytest.mark.parametrize("body, code", REFUSED.values(), ids=REFUSED.keys())
def test_refused(body, code):
    d = refused(body, code, 3, parameters="n: int", make=make)
    assert d.message and not d.message.endswith(".")


def test_functions_do_not_survive_their_compilation():
    kept = {}

    class Keeper:
        def __setattr__(self, name, value):
            kept[name] = value

    kernel_of("k = Keeper()\nk.function = lambda: n", "n: int", Keeper=Keeper).compile(np.zeros(64, np.int32), 1)
    refused("x = kept['function']()  # here", "L302", kept=kept)
    with pytest.raises(PyascError) as caught:
        kept["function"]()
    assert caught.value.code == "L301"


def test_errors_inside_name_the_call():
    d = refused("def f(x):\n    return x + 'a'  # here\ny = f(n)", "T106", 3, parameters="n: int")
    assert d.notes[-1].text == "f() is called here" and d.notes[-1].span.line == 7
