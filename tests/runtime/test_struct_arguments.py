# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Structures as arguments of a launch: values are of the run, types are of the compiled kernel.
from dataclasses import dataclass, field

import asc
import numpy as np
import pytest
from asc.language.core.struct import Field, Struct, StructField
from pyasc.errors import PyascError
from support.python_kernel import define


@dataclass
class Inner:
    a: int = 1
    b: asc.float16 = 0.5


@dataclass
class Params:
    n: int
    scale: float
    inner: Inner = field(default_factory=Inner)
    wide: asc.uint64 = 2**64 - 1
    small: np.int8 = -5
    flag: bool = True


class Tiling(Struct):
    length = Field(asc.int32)
    inner = StructField(type("Part", (Struct,), {"ratio": Field(asc.bfloat16, 1.0)}))


TEXT = """
@asc.jit
def kernel(out: asc.GlobalAddress, p{annotation}, last: int = 0):
    g = asc.GlobalTensor()
    g.set_global_buffer(out, 16)
    g.set_value(0, p.n + p.inner.a)
    g.set_value(1, int(p.scale * 100) + int(p.inner.b * 100))
    g.set_value(2, (p.wide >> 40).cast(asc.int32))
    g.set_value(3, p.small)
    g.set_value(4, p.flag)
    g.set_value(5, last)
    p.n = -1
    p.inner.a += p.n
    g.set_value(6, p.n + p.inner.a)
"""


def run(kernel, *arguments, **named):
    out = np.zeros(16, np.int32)
    kernel[1](out, *arguments, **named)
    return out.tolist()


@pytest.mark.parametrize("annotation", ["", ": Params", ": 'Params'"])
def test_values_reach_the_kernel(annotation):
    kernel = define(TEXT.format(annotation=annotation), "kernel", Params=Params)
    p = Params(40, 0.25)
    assert run(kernel, p, 8)[:7] == [41, 75, 2**24 - 1, -5, 1, 8, -1]
    assert (p.n, p.inner.a) == (40, 1)  # the kernel has a copy
    p.n, p.inner.a, p.inner.b, p.wide, p.flag = 5, -3, 2.0, 3 << 40, False
    assert run(kernel, p=p, last=1)[:7] == [2, 225, 3, -5, 0, 1, -5]
    assert kernel.cache_info().compiles == 1 and kernel.cache_info().memory_hits == 1


def test_several_structures_and_blocks():
    kernel = define(
        """
        @asc.jit
        def kernel(first, x: asc.GlobalAddress, second, n: int, third):
            g = asc.GlobalTensor()
            g.set_global_buffer(x, 64)
            i = asc.get_block_idx()
            first.length += i
            g.set_value(i * 16, first.length * 1000 + second.n * 100 + third.length * 10 + n)
        """,
        "kernel",
    )
    x = np.zeros(64, np.int32)
    kernel[4](Tiling(length=1), x, Params(2, 0.0), 4, Tiling(length=3))
    assert x[::16].tolist() == [1234, 2234, 3234, 4234]
    assert (
        "void kernel(GM_ADDR first_gm, GM_ADDR x, GM_ADDR second_gm, int32_t n, GM_ADDR third_gm)"
        in kernel.compile(Tiling, x, Params, 4, Tiling).ascendc
    )


def test_a_type_has_a_kernel_of_its_own():
    kernel = define(
        """
        @asc.jit
        def kernel(out: asc.GlobalAddress, p):
            g = asc.GlobalTensor()
            g.set_global_buffer(out, 16)
            g.set_value(0, int(p.n / 2))
        """,
        "kernel",
    )

    def make(kind):
        @dataclass
        class P:
            n: kind

        return P

    integer, real = make(int), make(float)
    assert run(kernel, real(5.0))[0] == 2
    with pytest.warns(UserWarning):
        assert run(kernel, integer(-5))[0] == -2
    assert run(kernel, real(9.0))[0] == 4
    assert kernel.cache_info().memory_hits == 1


def test_constexpr_by_value():
    kernel = define(
        """
        @asc.jit
        def kernel(out: asc.GlobalAddress, p: asc.ConstExpr):
            g = asc.GlobalTensor()
            g.set_global_buffer(out, 16)
            for i in asc.static_range(p.n):
                g.set_value(i, p.inner.a)
        """,
        "kernel",
    )
    p = Params(2, 0.5)
    assert run(kernel, p)[:4] == [1, 1, 0, 0]
    p.n = 3  # what was compiled for the old value is not for this one
    assert run(kernel, p)[:4] == [1, 1, 1, 0]
    p.inner.a = 7
    assert run(kernel, p)[:4] == [7, 7, 7, 0]
    assert run(kernel, Params(2, 0.5))[:4] == [1, 1, 0, 0]
    assert kernel.cache_info().compiles == 3
    tiling = Tiling(length=1)
    lengths = define(
        """
        @asc.jit
        def kernel(out: asc.GlobalAddress, p: asc.ConstExpr):
            g = asc.GlobalTensor()
            g.set_global_buffer(out, 16)
            g.set_value(0, p.length)
        """,
        "kernel",
    )
    assert run(lengths, tiling)[0] == 1
    tiling.length = 2
    assert run(lengths, tiling)[0] == 2


def launch_error(kernel, *arguments):
    with pytest.raises(PyascError) as caught:
        run(kernel, *arguments)
    return caught.value


def test_refused_at_the_launch():
    kernel = define(TEXT.format(annotation=": Params"), "kernel", Params=Params)
    bad = Params(1, 0.0)
    for attribute, value, code in [
        ("n", 1 << 31, "K123"),
        ("n", 0.5, "K120"),
        ("n", "1", "K120"),
        ("scale", 1e39, "K124"),
        ("small", 128, "K123"),
        ("flag", 2, "K123"),
        ("inner", Params(1, 0.0), "K120"),
        ("inner", None, "K120"),
    ]:
        right = getattr(bad, attribute)
        setattr(bad, attribute, value)
        error = launch_error(kernel, bad)
        assert error.code == code and f"field '{attribute}' of argument 'p' of kernel 'kernel'" in str(error)
        setattr(bad, attribute, right)
    bad.inner.a = None
    assert "field 'a' of field 'inner' of argument 'p'" in str(launch_error(kernel, bad))
    del bad.inner
    assert "it has no value" in str(launch_error(kernel, bad))
    assert launch_error(kernel, 3).code == "K120"
    assert launch_error(kernel, Inner()).code == "K120"
    assert launch_error(kernel, Params).code == "K126"  # a class stands for its type in compile()

    @dataclass
    class Named:
        name: str

    @dataclass
    class Node:
        next: "Node"

    plain = define(TEXT.format(annotation=""), "kernel")
    error = launch_error(plain, Named("x"))
    assert error.code == "K120" and "its field 'name' is annotated str" in str(error)
    assert launch_error(plain, Node(None)).code == "K120"
    assert launch_error(plain, object()).code == "K120"


def test_kernels_with_structures_are_kept_on_disk():
    kernel = define(TEXT.format(annotation=""), "kernel")
    assert run(kernel, Params(1, 0.0))[0] == 2
    assert "not kept on disk" not in kernel.cache_info().last
