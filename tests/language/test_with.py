# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`with` blocks: __exit__ is called wherever the block is left, with CPython as the oracle."""

import contextlib
import threading

import pytest
from support.python_kernel import refused, same_as_python

N = [(n,) for n in range(-2, 8)]

# Order logs each call at the next free place, so the order of the calls is part of the result.
MANAGERS = """
class Scope:
    def __init__(self, g, place, value=None):
        self.g, self.place, self.value = g, place, value

    @asc.jit
    def __enter__(self):
        self.g.set_value(self.place, 1)
        return self.value

    @asc.jit
    def __exit__(self, kind, value, trace):
        self.g.set_value(self.place + 1, 5 if kind is None and value is None and trace is None else 6)
        return True

class Order:
    def __init__(self, g, number):
        self.g, self.number = g, number

    @asc.jit
    def __enter__(self):
        self.log(self.number)
        return self

    @asc.jit
    def __exit__(self, *error):
        self.log(-self.number)

    @asc.jit
    def log(self, what):
        place = self.g.get_value(40)
        self.g.set_value(40, place + 1)
        self.g.set_value(place, what)
"""

BODIES = {
    "names survive": """
        with Scope(g, 10, 7) as x:
            y = x + n
        g.set_value(0, x)
        g.set_value(1, y)
        """,
    "targets": """
        values = [0, 0]
        with Scope(g, 10, (1, (n, 3, 4))) as (a, (b, *c)), Scope(g, 12, n) as values[1]:
            g.set_value(0, a + b + c[0] + c[1])
        g.set_value(1, values[1])
        """,
    "nullcontext": """
        with contextlib.nullcontext(n) as x, contextlib.nullcontext():
            g.set_value(0, x)
            if x > 2:
                return
        g.set_value(1, x)
        """,
    "order": """
        g.set_value(40, 0)
        with Order(g, 1) as x, Order(g, 2):
            with Order(g, 3):
                x.log(n)
        x.log(99)
        """,
    "return": """
        g.set_value(40, 0)
        with Order(g, 1):
            with Order(g, 2) as x:
                if n == 1:
                    return
                if n == 2:
                    x.log(50)
                    return
                x.log(51)
            if n > 4:
                return
            x.log(52)
        x.log(53)
        """,
    "loop": """
        g.set_value(40, 0)
        for i in range(n + 4):
            with Order(g, 7) as x, Order(g, 8):
                if i == n:
                    continue
                if i == 3:
                    break
                x.log(i)
            x.log(100 + i)
        else:
            g.set_value(41, 1)
        g.set_value(42, g.get_value(40))
        """,
    "every round returns": """
        g.set_value(40, 0)
        with Order(g, 1), Order(g, 2) as x:
            for i in range(n):
                return
            while n > -2:
                x.log(50)
                return
            x.log(51)
            for i in asc.static_range(2):
                x.log(i)
                return
        """,
    "unrolled loop": """
        g.set_value(40, 0)
        for i in asc.static_range(4):
            with Order(g, 7) as x:
                if i == n:
                    continue
                if n == 2 and i == 3:
                    break
                x.log(i)
            x.log(100 + i)
        else:
            g.set_value(41, 1)
        """,
    "return from a loop": """
        g.set_value(40, 0)
        with Order(g, 1) as x:
            i = 0
            while i < 4:
                with Order(g, 2):
                    i += 1
                    if i == n:
                        return
                    elif i > n + 4:
                        break
                x.log(i)
            else:
                if n == -2:
                    return
                x.log(60)
        x.log(70)
        """,
    "loop in a block": """
        g.set_value(40, 0)
        with Order(g, 1) as x:
            for i in range(4):
                if i == n:
                    break
                if i == n + 3:
                    return
                x.log(i)
        x.log(70)
        """,
    "branches": """
        g.set_value(40, 0)
        if n > 3:
            with Order(g, 1) as x:
                if n > 5:
                    return
                y = n
        else:
            with Order(g, 2) as x:
                y = -n
                if n < 0:
                    y = 9
        g.set_value(0, y)
        """,
    "value of a function": """
        def f(k):
            with Scope(g, 10, k) as v:
                if k > 2:
                    return v
                with Scope(g, 14, v + 1) as w:
                    for i in range(3):
                        if i == k:
                            return w + i
            return -1
        g.set_value(0, f(n))
        """,
    "the value is computed before": """
        with Scope(g, 10):
            if n > 1:
                g.set_value(0, 3)
                g.set_value(11, 0)
                return
        g.set_value(0, 4)
        """,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_with(body):
    same_as_python(body, *N, parameters="n: int", before=MANAGERS, contextlib=contextlib)


def test_manager_that_is_known_before():
    before = """
        class Manager:
            value = 3

            @asc.jit
            def __enter__(self):
                return self

            @asc.jit
            def __exit__(self, kind, value, trace):
                pass

        MANAGER = Manager()
        """
    same_as_python("with MANAGER as m:\n    g.set_value(0, m.value + n)", (2,), parameters="n: int", before=before)


class OnlyEnter:
    def __enter__(self):
        return 3


class Plain(OnlyEnter):
    def __exit__(self, *error):
        pass


REFUSED = {
    "a number": ("with n:  # here\n    pass", "L111", "no context manager: its class has no __enter__"),
    "no exit": ("with ONLY:  # here\n    pass", "L111", "no context manager: its class has no __exit__"),
    "plain methods": ("with PLAIN:  # here\n    pass", "L111", "__enter__ is not compiled"),
    "a lock": ("with LOCK:  # here\n    pass", "L111", "__enter__ is not compiled"),
    "a file": ("with open('f') as f:  # here\n    pass", "L110", "open"),
    "a tensor": ("with g:  # here\n    pass", "L111", "a GlobalTensor of int32 is no context manager"),
}


@pytest.mark.parametrize("body, code, words", REFUSED.values(), ids=REFUSED.keys())
def test_refused(body, code, words):
    d = refused(body, code, 3, parameters="n: int", ONLY=OnlyEnter(), PLAIN=Plain(), LOCK=threading.Lock())
    assert words in d.message
