# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Methods: called in kernels on objects that the kernel makes or that the host made, and launched as kernels themselves."""

import asc
import numpy as np
import pytest
from pyasc.errors import PyascError
from support.python_kernel import SIZE, define, kernel_of, refused, run, same_as_python

N = [(n,) for n in (-3, 0, 2, 5)]

CLASSES = """
class Clamp:
    low = -1

    @asc.jit
    def __init__(self, high, scale=1):
        self.high = high
        self.scale = scale

    @asc.jit
    def __call__(self, x):
        if x < self.low:
            return self.low
        return self.scaled(x) if x < self.high else self.high

    @asc.jit
    def scaled(self, x):
        return x * self.scale

    @asc.jit
    def widen(self, by):
        self.high += by
        return self

    @asc.jit
    def __add__(self, other):
        return Clamp(self.high + other)

    @asc.jit
    def __getitem__(self, i):
        return (self.low, self.high)[i]

    @property
    @asc.jit
    def width(self):
        return self.high - self.low

    @staticmethod
    @asc.jit
    def double(x):
        return x + x

    @classmethod
    @asc.jit
    def lowest(cls, x):
        return x + cls.low

class Half(Clamp):
    low = -2

    @asc.jit
    def scaled(self, x):
        return Clamp.scaled(self, x) // 2

class Plain:
    def __init__(self, x):
        self.x, self.list = x, [x]

    @asc.jit
    def total(self, more):
        self.list = [*self.list, more]
        return sum(self.list) + self.x

class _Private:
    @asc.jit
    def __init__(self, x):
        self.__x = x

    @asc.jit
    def get(self):
        self.__x += 1
        return (lambda: self.__x)()

@asc.jit
def apply(f, x, **more):
    return f(x, **more)

HOST = Half.__new__(Half)
HOST.high, HOST.scale = 4, 3
"""

BODIES = {
    "made in the kernel": "c = Clamp(n + 3)\ng.set_value(0, c(n))\ng.set_value(1, c.scaled(2))",
    "keyword": "g.set_value(0, Clamp(high=4, scale=n)(2))",
    "changed": "c = Clamp(n)\ng.set_value(0, c.widen(2).widen(by=n).high)\nc.scale = 4\ng.set_value(1, c(0))",
    "inherited": "h = Half(9, n)\ng.set_value(0, h(4))\ng.set_value(1, h.lowest(n))",
    "made on the host": "g.set_value(0, HOST(n))\ng.set_value(1, HOST.scaled(n) + HOST.width)",
    "in a loop": "c = Clamp(4)\nt = 0\nfor i in range(n + 1):\n    t += c(i)\ng.set_value(0, t)",
    "operators": "c = Clamp(n) + 3\ng.set_value(0, c[1])\ng.set_value(1, c[0])",
    "property": "g.set_value(0, Clamp(n).width)",
    "static and class methods": "g.set_value(0, Clamp.double(n))\ng.set_value(1, Half.lowest(n))\ng.set_value(2, Clamp(1).lowest(n))",
    "plain __init__": "p = Plain(n)\ng.set_value(0, p.total(4))\ng.set_value(1, p.total(n))",
    "through the class": "c = Clamp(8, 2)\ng.set_value(0, Clamp.scaled(c, n))",
    "bound first": "f = Clamp(n, 2).scaled\ng.set_value(0, f(4) + f(x=n))",
    "passed on": "g.set_value(0, apply(Clamp(n, 2).scaled, 4))\ng.set_value(1, apply(Clamp(n), x=0))",
    "functions passed on": "g.set_value(0, apply(lambda v, w=1: v * w + n, n, w=3))",
    "private names": "g.set_value(0, _Private(n).get())\ng.set_value(1, _Private(n + 1)._Private__x)",
    "in lists": "a, b = [Clamp(n), Clamp(2)]\ng.set_value(0, a(1) + b(n))",
    "key": "g.set_value(0, sorted([3, 1, 2], key=HOST.scaled)[0] + n)",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_methods(body):
    same_as_python(body, *N, parameters="n: int", before=CLASSES)


def test_errors_name_the_call():
    d = refused("HOST.scaled(n, 1)  # here", "L401", 3, parameters="n: int", HOST=define(CLASSES, "HOST"))
    assert "scaled() takes 2 positional arguments" in d.message


RECURSION = """
class Endless:
    @asc.jit
    def __init__(self, x):
        self.x = x

    @asc.jit
    def down(self):
        return self.{call}.down()
"""


@pytest.mark.parametrize("call", ["__class__(1)", "__class__(self.x)"])
def test_recursion(call):
    d = refused(
        "e = Endless(n)\ng.set_value(0, e.down())", "L109", 3, parameters="n: int", Endless=define(RECURSION.format(call=call), "Endless")
    )
    assert d.message == "down() calls itself"


LAUNCHED = """
class Fill:
    def __init__(self, value):
        self.value = value

    @asc.jit
    def kernel(self, out: asc.GlobalAddress, n: int):
        g = asc.GlobalTensor()
        g.set_global_buffer(out, 64)
        self.store(g, n)

    @asc.jit
    def store(self, g, n):
        g.set_value(n, self.value)

    @asc.jit
    @classmethod
    def of_the_class(cls, out: asc.GlobalAddress):
        g = asc.GlobalTensor()
        g.set_global_buffer(out, 64)
        g.set_value(0, cls.constant)

    @asc.jit
    @staticmethod
    def without(out: asc.GlobalAddress):
        g = asc.GlobalTensor()
        g.set_global_buffer(out, 64)
        g.set_value(0, 4)

    constant = 3

class Other(Fill):
    constant = 8
"""


def test_methods_as_kernels():
    Fill = define(LAUNCHED, "Fill")
    three, five = Fill(3), Fill(5)
    assert run(three.kernel, 2)[2] == 3 and run(five.kernel, 2)[2] == 5
    three.value = 7  # the object is read at every launch
    assert run(three.kernel, 1)[1] == 7 and run(five.kernel, 1)[1] == 5
    out = np.zeros(SIZE, np.int32)
    three.kernel.options(check=False)[2](out, n=0)
    assert out[0] == 7 and three.kernel.last_launch.cycles > 0
    assert "Fill" in repr(three.kernel) and "7" in three.kernel.compile(out, 0).ascendc
    with pytest.raises(PyascError, match="K101"):
        three.kernel(out, 0)


def test_class_and_static_methods_as_kernels():
    Fill, Other = (define(LAUNCHED, name) for name in ("Fill", "Other"))
    assert run(Fill.of_the_class)[0] == 3 and run(Other.of_the_class)[0] == 8 and run(Other(1).of_the_class)[0] == 8
    assert run(Fill.without)[0] == 4 and run(Fill(1).without)[0] == 4


def test_closures_as_kernels():
    def make(value):
        @asc.jit
        def kernel(out: asc.GlobalAddress, n: int):
            g = asc.GlobalTensor()
            g.set_global_buffer(out, SIZE)
            g.set_value(n, value)

        return kernel

    assert run(make(3), 1)[1] == 3 and run(make(4), 1)[1] == 4


def test_changed_methods_compile_again():
    other = define(CLASSES + "\n@asc.jit\ndef other(self, x):\n    return x + 100\n", "other")
    Half, HOST = (other.fn.__globals__[name] for name in ("Half", "HOST"))
    called, bound = kernel_of("g.set_value(0, HOST(n))", "n: int", HOST=HOST), kernel_of("g.set_value(0, F(n))", "n: int", F=HOST.scaled)
    assert run(called, 2)[0] == 3 and run(bound, 2)[0] == 3
    Half.scaled = other
    assert run(called, 2)[0] == 102 and run(bound, 2)[0] == 3  # it was bound before
    HOST.high = 2
    assert run(called, 2)[0] == 2
