# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device functions, ways to call, closures, globals, static parameters, unpacking."""

import asc
import numpy as np
import pytest
from pyasc.errors import PyascError
from support.python_kernel import Results, define, kernel_of, python_of, refused, same_as_python

N = [(n,) for n in (-3, 0, 1, 5)]


@asc.jit
def twice(x, plus=1):
    return 2 * x + plus


@asc.jit
def divide(a, b):
    return a // b, a % b


@asc.jit
def store(g, index, value):
    g.set_value(index, value)


@asc.jit
def clipped(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x


@asc.jit
def scaled(x, factor: asc.ConstExpr[int]):
    if factor == 0:
        return 0
    return x * factor


@asc.jit
def nested(x):
    total = twice(x) + twice(x, plus=3)
    for i in range(3):
        total += clipped(i, 1, x)
    return total


@asc.jit
def endless(x):
    return other_half(x)


@asc.jit
def other_half(x):
    return endless(x)


FUNCTIONS = {"twice": twice, "divide": divide, "clipped": clipped, "scaled": scaled, "nested": nested}


def python_functions():
    """The same functions as CPython runs them."""
    scope = {}
    for name, function in FUNCTIONS.items():
        plain = function.__asc_jit__
        scope[name] = type(plain)(plain.__code__, scope, name, plain.__defaults__, plain.__closure__)
    scope["range"] = range
    return scope


def compare(body, *calls, parameters="", dtype=np.int32):
    kernel, function = kernel_of(body, parameters, **FUNCTIONS), python_of(body, parameters, **python_functions())
    for args in calls:
        expected = Results(dtype)
        function(expected, *args)
        np.testing.assert_array_equal(run(kernel, *args, dtype=dtype), expected.values, err_msg=str(args))


def test_calls():
    compare(
        """
        g.set_value(0, twice(n))
        g.set_value(1, twice(n, 5))
        g.set_value(2, twice(x=n, plus=n))
        g.set_value(3, twice(plus=4, x=2))
        q, r = divide(n, 2)
        g.set_value(4, q)
        g.set_value(5, r)
        g.set_value(6, nested(n))
        g.set_value(7, clipped(n, -1, 2))
        args = (n, 9)
        g.set_value(8, twice(*args))
        g.set_value(9, twice(**{'x': n, 'plus': 1}))
        """,
        *N,
        parameters="n: int",
    )


KEYWORDS = """
@asc.jit
def rest(a, /, b=2, *others, c=3, **more):
    more["b"] = a + b
    return sum(others) + c * sum(more.values()), len(others), more

@asc.jit
def outer(*others, **more):
    return rest(*others, **more)

@asc.jit
def inner_value(values, **more):
    total = 0
    for name, value in more.items():
        if value > 2:
            total += value * values[name]
    return total
"""


@pytest.mark.parametrize(
    "call",
    [
        "rest(n)",
        "rest(n, d=n, e=4)",
        "rest(n, 1, n, 5, c=n, a=7)",
        "rest(*(1, n), **{'c': n, 'd': 2}, e=n)",
        "rest(*[n, *(1, 2)], 4, *range(3))",
        "outer(n, 1, c=n, d=4)",
        "outer(n, **dict(c=1), **{'x': n})",
        "(lambda **k: (k['a'] - k['b'], len(k), k))(a=n, b=2)",
        "(inner_value({'a': n, 'b': 2}, a=n, b=4), 1, {})",
        "(max(*(n, 3)), min(*[n, 2], **{}), {})",
    ],
)
def test_any_number_of_arguments(call):
    body = f"""
        x, y, z = {call}
        g.set_value(0, x)
        g.set_value(1, y)
        for i, (name, value) in enumerate(z.items()):
            g.set_value(2 + i, value + len(name))
        """
    same_as_python(body, *N, parameters="n: int", before=KEYWORDS)


def test_nested_function_with_any_keywords():
    same_as_python(
        """
        def f(a, **k):
            k['a'] = a
            if a > 1:
                return k['b'] + len(k)
            return sum(k.values())
        g.set_value(0, f(n, b=3, c=n))
        g.set_value(1, f(b=n, a=2))
        g.set_value(2, f(**{'a': n, 'b': 1}))
        """,
        *N,
        parameters="n: int",
    )


def test_specialised_by_static_values():
    compare(
        "g.set_value(0, scaled(n, 3))\ng.set_value(1, scaled(n, 5))\ng.set_value(2, scaled(n, factor=0))\ng.set_value(3, scaled(n, 3))",
        *N,
        parameters="n: int",
    )


def test_specialised_by_types():
    compare(
        "g.set_value(0, twice(n) // 3)\ng.set_value(1, twice(x))\ng.set_value(2, twice(n * 0.5))",
        *[(n[0], np.float32(0.25)) for n in N],
        parameters="n: int, x: float",
        dtype=np.float32,
    )


def test_one_function_per_specialisation():
    compiled = kernel_of(
        "a = twice(n)\nb = twice(n)\nc = twice(n * 1.5)\ng.set_value(0, a + b)\ng.set_value(1, c)", "n: int", twice=twice
    ).compile(np.zeros(64, np.int32), 1)
    assert compiled.ir.count("func.func") == 2 and compiled.ir.count("call @") == 3


def test_tensors_are_passed_and_returned():
    source = """
        @asc.jit
        def part(t, i):
            return t[i], i + 1

        @asc.jit
        def kernel(out: asc.GlobalAddress, n: int):
            g = asc.GlobalTensor()
            g.set_global_buffer(out, 64)
            tail, count = part(g, n)
            tail.set_value(0, count)
            store(tail, 2, 5)
        """
    out = run(define(source, "kernel", store=store), 3)
    assert out[3] == 4 and out[5] == 5


def test_functions_without_result_give_none():
    same = kernel_of("x = store(g, 0, n)\nassert x is None", "n: int", store=store)
    assert run(same, 4)[0] == 4


def test_closures_and_globals():
    scale, offset = 3, asc.ConstExpr(4)

    @asc.jit
    def kernel(out: asc.GlobalAddress, n: int):
        g = asc.GlobalTensor()
        g.set_global_buffer(out, 64)
        g.set_value(0, n * scale + offset)
        g.set_value(1, TABLE["b"][1])

    assert run(kernel, 5)[:2].tolist() == [19, 8]


TABLE = {"a": (1, 2), "b": [7, 8]}


def test_static_parameters_and_defaults():
    source = """
        @asc.jit
        def kernel(out: asc.GlobalAddress, n: int, size: asc.ConstExpr[int], name: asc.ConstExpr = 'x', k: int = 3):
            assert size % 2 == 0, f'odd {size}'
            g = asc.GlobalTensor()
            g.set_global_buffer(out, 64)
            for i in asc.static_range(size):
                g.set_value(i, n + i)
            g.set_value(size, len(name))
            g.set_value(size + 1, k)
        """
    kernel = define(source, "kernel")
    assert run(kernel, 10, 4)[:7].tolist() == [10, 11, 12, 13, 1, 3, 99]
    assert run(kernel, 10, 2, "long", k=7)[:5].tolist() == [10, 11, 4, 7, 99]
    with pytest.raises(PyascError) as caught:
        run(kernel, 10, 3)
    assert caught.value.code == "L205" and "odd 3" in caught.value.diagnostics[0].message


def run(kernel, *args, dtype=np.int32, **keywords):
    out = np.full(64, 99, dtype)
    kernel[1](out, *args, **keywords)
    return out


def test_assignment_forms():
    same_as_python(
        """
        a = b = n + 1
        (c, d), e = (a, 2), [3, n][1]
        first, *rest = (n, 2, 3)
        x: int = 4
        y: int
        x += n
        x *= 2
        l = [1, 2, 3]
        l[1] += n
        l[0] = 7
        l += [n]
        d2 = {'k': n}
        d2['j'] = 4
        for i, v in enumerate((a, b, c, d, e, first, len(rest), x, l[0], l[1], l[3], d2['k'], d2['j'])):
            g.set_value(i, v)
        """,
        *N,
        parameters="n: int",
    )


def test_methods_of_dtypes():
    out = run(
        kernel_of("""
        g.set_value(0, g.dtype.sizeof())
        g.set_value(1, asc.float16.sizeof() + asc.float64.bitwidth)
        if g.dtype.is_int() and not g.dtype.is_unsigned():
            g.set_value(2, 7)
        """)
    )
    assert list(out[:3]) == [4, 66, 7]
    assert "takes no arguments" in refused("asc.float16.sizeof(2)", "L401").message


def test_recursion_is_refused():
    d = refused("g.set_value(0, endless(1))", "L109", endless=endless)
    assert "endless" in d.message and any("called here" in note.text for note in d.notes)


def test_plain_function_is_refused():
    def plain(x):
        return x

    d = refused("x = plain(1)  # here", "L108", plain=plain)
    assert "@asc.jit" in d.help


def test_wrong_arguments():
    refused("twice()  # here", "L401", twice=twice)
    refused("twice(1, 2, 3)  # here", "L401", twice=twice)
    refused("twice(1, y=2)  # here", "L401", twice=twice)
    refused("twice(1, x=2)  # here", "L401", twice=twice)
    refused("g.set_value(1)  # here", "L401")
    refused("g.set_value(1, 2, 3)  # here", "L401")
    refused("g.set_value(0, at=2)  # here", "L401")


def test_static_parameter_needs_a_known_value():
    refused("scaled(n, n)  # here", "T109", 3, parameters="n: int", scaled=scaled)


def test_error_inside_a_device_function_names_the_call():
    with pytest.raises(PyascError) as caught:
        kernel_of("divide(g, 2)", divide=divide).compile(np.zeros(64, np.int32))
    d = caught.value.diagnostics[0]
    assert d.code == "T106" and d.span.file == __file__ and d.notes[-1].span.line == 5


def test_parameter_tensor_cannot_get_another_buffer():
    source = """
        @asc.jit
        def move(t, address):
            t.set_global_buffer(address)

        @asc.jit
        def kernel(out: asc.GlobalAddress):
            g = asc.GlobalTensor()
            g.set_global_buffer(out, 64)
            move(g, out)
        """
    with pytest.raises(PyascError) as caught:
        define(source, "kernel").compile(np.zeros(64, np.int32))
    assert caught.value.code == "L306"


# ---------------------------------------------------------------- parameters with a dtype

TYPED = """
@asc.jit
def narrow(n: asc.int8):
    return n + n

@asc.jit
def text(n: "asc.uint8"):
    return n * 1

@asc.jit
def real(x: np.float16):
    return x

@asc.jit
def count(n: asc.int32):
    total = 0
    for i in asc.static_range(n):
        total += i
    return total
"""


def test_arguments_are_converted_to_the_dtype_of_the_parameter():
    body = """
    g.set_value(0, narrow(n))
    g.set_value(1, 1 if narrow(n).dtype == asc.int8 else 0)
    g.set_value(2, text(n))
    g.set_value(3, int(real(0.1) * 100000))
    g.set_value(4, int(real(n) + 0.5))
    g.set_value(5, count(5))
    """
    kernel = kernel_of(body, "n: int", TYPED)
    assert run(kernel, 50)[:6].tolist() == [100, 1, 50, 9997, 50, 10]
    with pytest.raises(PyascError) as caught:
        run(kernel, 128)
    assert caught.value.code == "M205"


@pytest.mark.parametrize(
    ("call", "code", "argument"),
    [
        ("narrow(128)", "T101", 1),
        ("text(-1)", "T101", 1),
        ("narrow(1.5)", "T103", 1),
        ("narrow(f)", "T103", 1.5),
        ("count(f)", "T103", 1.5),
    ],
)
def test_arguments_that_the_dtype_of_the_parameter_cannot_hold(call, code, argument):
    kernel = kernel_of(f"g.set_value(0, {call})", "f", TYPED)
    with pytest.raises(PyascError) as caught:
        kernel.compile(np.zeros(64, np.int32), argument)
    assert caught.value.code == code and ("annotated asc.int" in str(caught.value)) == (code == "T103")
