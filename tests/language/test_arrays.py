# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# asc.array and ShapeInfo: CPython is the oracle of what an array holds.
import asc
import numpy as np
import pytest
from asc.language.core.array import Array
from pyasc.errors import PyascError
from support.python_kernel import define, kernel_of, refused, run, same_as_python


def test_elements_are_read_and_written():
    same_as_python(
        """
        a = asc.array(asc.int32, [3, n, n * 2])
        b = asc.array(asc.int32, 4, 7)
        a[1] = a[0] + b[3]
        a[2] += n
        b[n % 4] = 100
        b[n % 4] -= a[2]
        for i in range(len(a)):
            g.set_value(i, a[i])
        for i in range(len(b)):
            g.set_value(10 + i, b[i])
        g.set_value(20, len(a) + a.length)
        """,
        (0,),
        (5,),
        (-6,),
        parameters="n: int",
    )


def test_in_loops_and_branches_of_the_device():
    same_as_python(
        """
        counts = asc.array(asc.int32, 4, 0)
        for i in range(n):
            if i % 3 == 0:
                counts[i % 4] += i
            elif i > 5:
                counts[0] = counts[3] + 1
            fresh = asc.array(asc.int32, 2, 0)
            fresh[i % 2] += 1
            counts[1] += fresh[0]
        k = 0
        while k < 4 and counts[k] < 50:
            g.set_value(k, counts[k])
            k += 1
        g.set_value(10, k)
        """,
        (0,),
        (1,),
        (20,),
        parameters="n: int",
    )


def test_values_are_converted_to_the_dtype():
    same_as_python(
        """
        small = asc.array(asc.int8, 2, 0)
        byte = asc.array(asc.uint8, 2, 0)
        real = asc.array(asc.float32, [0.5, n])
        small[0] = -100
        byte[0] = 200
        byte[1] = byte[0] + 40
        real[0] += 16777216.5
        g.set_value(0, small[0] + byte[0] + byte[1])
        g.set_value(1, real[0] == 16777216)
        g.set_value(2, real[1] * 2 == n * 2)
        """,
        (3,),
        (7,),
        parameters="n: int",
    )


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_narrow_floats(dtype):
    kernel = kernel_of(f"a = asc.array(asc.{dtype}, 1, x)\ng.set_value(0, a[0])", "x: float")
    got = run(kernel, 1 + 2**-12, dtype=np.float32)
    assert got[0] == 1.0  # neither type has the last bit


def test_whole_arrays():
    same_as_python(
        """
        a = asc.array(asc.int32, [4, n, 2])
        total = 0
        for v in a:
            total += v
            a[2] = 30
        g.set_value(0, total)
        g.set_value(1, sum(a))
        g.set_value(2, max(a))
        g.set_value(3, 5 in a)
        g.set_value(4, 5 not in a)
        x, *rest = a
        g.set_value(5, x + len(rest))
        for i, (p, q) in enumerate(zip(a, reversed(list(a)))):
            g.set_value(10 + i, p * 1000 + q)
        g.set_value(20, sum([v * v for v in a]))
        """,
        (5,),
        (6,),
        parameters="n: int",
    )


def test_from_what_is_known_and_from_another_array():
    kernel = kernel_of(
        """
        a = asc.array(asc.int32, range(4))
        b = asc.array(asc.float32, a)
        c = asc.array(dtype=asc.int32, values=(n, 2))
        d = asc.array(asc.int32, length=2, fill_value=n + 1)
        b[0] = 0.5
        asc.static_assert(isinstance(a, Array) and a.dtype == asc.int32 and b.length == 4)
        g.set_value(0, a[0] + a[3])
        g.set_value(1, b[0] * 4 + b[3])
        g.set_value(2, c[0] + c[1] + d[0] + d[1])
        """,
        "n: int",
        Array=Array,
    )
    assert run(kernel, 10).tolist()[:3] == [3, 5, 34]


def test_functions_take_arrays_by_reference():
    rotate = define(
        """
        @asc.jit
        def rotate(a, b, by):
            b[0] = by
            first = a[0]
            for i in range(len(a) - 1):
                a[i] = a[i + 1]
            a[len(a) - 1] = first
        """,
        "rotate",
    )
    kernel = kernel_of(
        """
        a, b = asc.array(asc.int32, [1, 2, 3]), asc.array(asc.int32, 1, 0)
        for i in range(n):
            rotate(a, b, i)
        rotate(b, b, 9)
        for i in range(3):
            g.set_value(i, a[i])
        g.set_value(3, b[0])
        """,
        "n: int",
        rotate=rotate,
    )
    assert run(kernel, 2).tolist()[:4] == [3, 1, 2, 9]


def test_memory_of_arrays_is_used_again():
    fill = define("@asc.jit\ndef fill(n):\n    a = asc.array(asc.int32, 2000, n)\n    return a[1999]", "fill")
    kernel = kernel_of("for k in asc.static_range(8):\n    g.set_value(k, fill(k))", fill=fill)
    assert run(kernel).tolist()[:8] == list(range(8))
    dead = "a = asc.array(asc.int32, 3000, n)\nn = a[7]\nb = asc.array(asc.int32, 3000, 5)\nfor i in range(3):\n    b[i] += n\n"
    dead += "n = b[2]\nc = asc.array(asc.int32, 3000)\nc[1] = n\ng.set_value(0, c[1])"
    kernel = kernel_of(dead, "n: int")
    assert run(kernel, 4)[0] == 9
    # What is alive beside it keeps its place: 'b' takes that of 'a' and 'd' does not fit between.
    beside = "a = asc.array(asc.int32, 100, n)\nb = asc.array(asc.int32, 10, 7)\nn = a[3]\nc = asc.array(asc.int32, 50, n)\n"
    beside += "d = asc.array(asc.int32, 60, 3)\ng.set_value(0, b[9] * 1000 + c[49] * 10 + d[59])\nb[0] = c[0] = d[0]"
    assert run(kernel_of(beside, "n: int"), 6)[0] == 7063
    loop = "a = asc.array(asc.int32, 3000, n)\nfor i in range(2):\n    b = asc.array(asc.int32, 3000, a[i])\n    g.set_value(0, b[0])"
    with pytest.raises(PyascError, match="T331"):
        run(kernel_of(loop, "n: int"), 4)
    arrays = "a = asc.array(asc.int32, 2000)\nb = asc.array(asc.int32, 3000)\na[0] = b[0] = 1\ng.set_value(0, a[0] + b[0])"
    with pytest.raises(PyascError) as caught:
        kernel_of(arrays).compile(np.zeros(1, np.int32))
    assert caught.value.code == "T331" and caught.value.diagnostics[0].span.line == 6


def finding(kernel, *args):
    with pytest.raises(PyascError) as caught:
        run(kernel, *args)
    return caught.value.diagnostics[0]


@pytest.mark.parametrize("index", [-1, 3, 1 << 31, -(1 << 62)])
@pytest.mark.parametrize("statement", ["g.set_value(0, a[n])", "a[n] = 1\n    g.set_value(0, a[0])"])
def test_run_time_index_outside(index, statement):
    found = finding(kernel_of(f"a = asc.array(asc.int32, 3, 0)\nif n != 0:\n    {statement}", "n: int"), index)
    assert found.code == "M106" and str(index) in found.message and found.span.line == 7


def test_without_checks_an_index_outside_stops_the_launch_too():
    kernel = kernel_of("a = asc.array(asc.int32, 3, 0)\ng.set_value(0, a[n])", "n: int").options(check=False)
    assert finding(kernel, 1 << 40).code == "M106"


def test_element_without_a_value():
    body = """
    a = asc.array(asc.int32, 3)
    a[0] = 1
    for i in range(2):
        b = asc.array(asc.int32, 1)
        if i < n:
            b[0] = i
        g.set_value(i, b[0] + a[0])
    """
    assert run(kernel_of(body, "n: int"), 2).tolist()[:2] == [1, 2]
    found = finding(kernel_of(body, "n: int"), 1)  # what the first round has set is not there any more
    assert found.code == "M303" and "element 0 of b" in found.message and found.span.line == 12


def test_refused():
    array = "a = asc.array(asc.int32, 3, 0)\n"
    refused(array + "a[3] = 1  # here", "T330")
    refused(array + "x = a[-1]  # here", "T302")
    refused(array + "x = a[1:]  # here", "T330")
    refused(array + "x = a[0, 1]  # here", "T330")
    refused(array + "x = a[0.5]  # here", "T103")
    refused(array + "x = a + a  # here", "T106")
    refused(array + "a.length = 4  # here", "L402")
    refused(array + "x = a.size  # here", "L402")
    refused("a = asc.array(asc.int32, 0)  # here", "T331")
    refused("a = asc.array(asc.int32, [])  # here", "T331")
    refused("a = asc.array(asc.float32, 1 << 40)  # here", "T331")
    refused("a = asc.array(asc.int32, range(1 << 60))  # here", "T331")
    refused("a = asc.array(asc.int32, n)  # here", "T109", 4, parameters="n: int")
    refused("a = asc.array(asc.int32, [1, 2], 3)  # here", "L401")
    refused("a = asc.array(asc.int32, [1, 'x'])  # here", "T103")
    refused("a = asc.array(asc.int8, [1, 200])  # here", "T101")
    refused("a = asc.array(asc.int32, 'text')  # here", "T103")
    refused("a = asc.array(int, 3)  # here", "T103")
    refused("a = asc.array(asc.void, 3)  # here", "T103")
    refused(array + "b = asc.array(asc.int32, 3)\nif n > 0:  # here\n    b = a\nb[0] = 1", "L106", 4, parameters="n: int", line=5)
    make = define("@asc.jit\ndef make():\n    return asc.array(asc.int32, 3)", "make")
    refused("a = make()", "L309", make=make)


def test_only_in_kernels():
    for make in (lambda: asc.array(asc.int32, 3), lambda: Array(asc.int32, 3), lambda: asc.ShapeInfo()):
        with pytest.raises(PyascError) as caught:
            make()
        assert caught.value.code == "L301"


# ---------------------------------------------------------------- ShapeInfo

INFO = """
shape = asc.array(asc.uint32, [n, 16, 2])
info = asc.ShapeInfo(shape, asc.array(asc.int32, [n - 1, 15]), asc.DataFormat.NZ)
shape[0] = 99
"""


def test_shape_info_keeps_the_dimensions():
    kernel = kernel_of(
        INFO
        + """
t = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
t.set_shape_info(info)
g.set_shape_info(asc.ShapeInfo(shape))
same = t.get_shape_info()
for i in range(3):
    g.set_value(i, same.shape(i))
g.set_value(3, info.original_shape(0))
g.set_value(4, info.original_shape(1))
g.set_value(5, g.get_shape_info().shape(0))
g.set_value(6, g.get_shape_info().original_shape(2))
""",
        "n: int",
    )
    assert run(kernel, 5).tolist()[:7] == [5, 16, 2, 4, 15, 99, 2]
    text = kernel.compile(np.zeros(64, np.int32), 5).ascendc
    assert "AscendC::ShapeInfo info(3, shape, 2, (uint32_t*)array, AscendC::DataFormat::NZ);" in text
    assert "t.SetShapeInfo(info);" in text and "g.GetShapeInfo()" in text


def test_shape_info_outside():
    found = finding(kernel_of(INFO + "g.set_value(0, info.shape(n))", "n: int"), 5)
    assert found.code == "M106" and "info" in found.message


def test_shape_info_refused():
    tensor = "t = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)\n"
    refused("info = asc.ShapeInfo()\nx = info.shape(0)  # here", "T332")
    refused("info = asc.ShapeInfo(None, asc.array(asc.int32, 1, 1))  # here", "L401")
    refused("info = asc.ShapeInfo([1, 2])  # here", "T103")
    refused("info = asc.ShapeInfo(asc.array(asc.float32, 2, 0))  # here", "T103")
    refused("info = asc.ShapeInfo(asc.array(asc.int32, 9, 1))  # here", "T332")
    refused("info = asc.ShapeInfo(asc.array(asc.int32, 2, 1), None, 3)  # here", "T103")
    refused("info = asc.ShapeInfo(asc.array(asc.int32, 2, 1))\nx = info.shape(2)  # here", "T332")
    refused(tensor + "t.set_shape_info([1])  # here", "T103")
    refused(tensor + "x = t.get_shape_info()  # here", "L315")
    inside = "info = asc.ShapeInfo(asc.array(asc.int32, 2, 1))\nif n > 0:\n    t.set_shape_info(info)  # here"
    refused(tensor + inside, "L315", 4, parameters="n: int")
