# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators on numbers: signs, types, promotion, literals. CPython is the oracle for ints, NumPy's float32 for floats."""

import asc
import numpy as np
import pytest
from support.python_kernel import kernel_of, refused, run, same_as_python

INTS = [(a, b) for a in (-7, -6, -1, 0, 1, 5, 6, 100) for b in (-3, -2, -1, 1, 2, 3, 7)]
FLOATS = [(np.float32(a), np.float32(b)) for a in (-7.5, -1.0, -0.0, 0.0, 0.1, 3.25, 1e10) for b in (-2.5, -1.0, 0.3, 1.0, 4.0)]


@pytest.mark.parametrize("operator", ["+", "-", "*", "//", "%", "&", "|", "^"])
def test_int_operators_follow_python(operator):
    same_as_python(
        f"g.set_value(0, a {operator} b)\ng.set_value(1, a {operator} 3)\ng.set_value(2, 17 {operator} b)",
        *INTS,
        parameters="a: int, b: int",
    )


@pytest.mark.parametrize("operator", ["<<", ">>"])
def test_shifts(operator):
    calls = [(a, b) for a in (-100, -1, 0, 1, 77) for b in (0, 1, 5, 20)]
    same_as_python(
        f"g.set_value(0, a {operator} b)\ng.set_value(1, a {operator} 2)\ng.set_value(2, 3 {operator} b)",
        *calls,
        parameters="a: int, b: int",
    )


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "//", "%"])
def test_float_operators_follow_numpy(operator):
    same_as_python(f"g.set_value(0, a {operator} b)", *FLOATS, parameters="a: float, b: float", dtype=np.float32)


@pytest.mark.parametrize("operator", ["==", "!=", "<", "<=", ">", ">="])
def test_comparisons(operator):
    body = f"g.set_value(0, a {operator} b)\ng.set_value(1, a {operator} 1)\ng.set_value(2, 2 {operator} b)"
    same_as_python(body, *INTS, parameters="a: int, b: int")
    nan = np.float32("nan")
    same_as_python(body, *FLOATS, (nan, np.float32(1)), (np.float32(1), nan), (nan, nan), parameters="a: float, b: float")


def test_unary_operators():
    body = (
        "g.set_value(0, -a)\ng.set_value(1, +a)\ng.set_value(2, ~a)\ng.set_value(3, not a)\ng.set_value(4, abs(a))\ng.set_value(5, -(-a))"
    )
    same_as_python(body, *[(a,) for a in (-5, 0, 7)], parameters="a: int")
    body = "g.set_value(0, -a)\ng.set_value(1, +a)\ng.set_value(2, not a)\ng.set_value(3, abs(a))"
    same_as_python(body, *[(np.float32(a),) for a in (-5.5, -0.0, 0.0, 7.0)], parameters="a: float", dtype=np.float32)


def test_negative_zero_keeps_its_sign():
    out = run(kernel_of("g.set_value(0, -a)\ng.set_value(1, abs(a))", "a: float"), np.float32(0.0), dtype=np.float32)
    assert np.signbit(out[0]) and not np.signbit(out[1])
    out = run(kernel_of("g.set_value(0, -a)\ng.set_value(1, abs(a))", "a: float"), np.float32(-0.0), dtype=np.float32)
    assert not np.signbit(out[0]) and not np.signbit(out[1])


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 5, 8])
def test_int_power(exponent):
    same_as_python(f"g.set_value(0, a ** {exponent})", *[(a,) for a in (-3, -1, 0, 1, 2, 7)], parameters="a: int")


def test_float_power():
    out = run(kernel_of("g.set_value(0, a ** 3)\ng.set_value(1, a ** -2)", "a: float"), np.float32(1.5), dtype=np.float32)
    assert out[:2].tolist() == [np.float32(3.375), np.float32(1) / np.float32(2.25)]


def test_power_needs_a_known_exponent():
    refused("g.set_value(0, 2 ** n)  # here", "T106", 3, parameters="n: int")


@pytest.mark.filterwarnings("ignore")
def test_int_division_truncates_with_a_warning():
    kernel = kernel_of("g.set_value(0, a / b)", "a: int, b: int")
    compiled = kernel.compile(np.zeros(64, np.int32), 7, 2)
    assert [w.code for w in compiled.warnings] == ["T202"] and "//" in compiled.warnings[0].help
    for a, b in INTS:
        assert run(kernel, a, b)[0] == int(a / b)


def test_int_division_is_true_in_python_arithmetic():
    kernel = kernel_of("g.set_value(0, a / b)", "a: int, b: int").options(arithmetic="python")
    out = np.zeros(64, np.float32)
    kernel[1](out, -7, 2)
    assert out[0] == -3.5


def test_min_and_max():
    body = "g.set_value(0, min(a, b))\ng.set_value(1, max(a, b))\ng.set_value(2, max(a, 3, b))\ng.set_value(3, min((a, b, -1)))"
    same_as_python(body, *INTS, parameters="a: int, b: int")
    nan = np.float32("nan")
    body = "g.set_value(0, min(a, b))\ng.set_value(1, max(a, b))"
    same_as_python(body, *FLOATS, (nan, np.float32(1)), (np.float32(1), nan), parameters="a: float, b: float", dtype=np.float32)


def test_other_builtins_on_run_time_values():
    body = """
    g.set_value(0, int(f))
    g.set_value(1, sum((a, b, 3)))
    q, r = divmod(a, b)
    g.set_value(2, q)
    g.set_value(3, r)
    g.set_value(4, bool(a))
    g.set_value(5, any((a > 5, b > 5)))
    g.set_value(6, all((a > 0, b > 0)))
    g.set_value(7, len((a, b)))
    """
    same_as_python(
        body, *[(a, b, np.float32(f)) for a, b, f in ((7, 2, 2.9), (-7, 2, -2.9), (0, -3, 0.5))], parameters="a: int, b: int, f: float"
    )


def test_ceildiv():
    same_as_python("g.set_value(0, asc.ceildiv(a, 4))\ng.set_value(1, asc.ceildiv(a, b))", *INTS, parameters="a: int, b: int")
    out = run(kernel_of("g.set_value(0, a.ceildiv(4))", "a: int"), -7)
    assert out[0] == -1


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "uint32", "uint64"])
def test_ceildiv_near_the_end_of_the_type(dtype):
    last = int(np.iinfo(dtype).max)
    kernel = kernel_of(
        f"g.set_value(0, asc.ceildiv(a, 3))\ng.set_value(1, asc.ceildiv(a, b))\ng.set_value(2, asc.ceildiv({last}, b))", "a, b"
    )
    for a, b in ((last, 2), (last - 1, last), (2, last), (0, last)):
        out = run(kernel, np.dtype(dtype).type(a), np.dtype(dtype).type(b), dtype=dtype)
        assert [int(x) for x in out[:3]] == [-(-a // 3), -(-a // b), -(-last // b)]


def test_ceildiv_of_different_types():
    kernel = kernel_of("g.set_value(0, asc.ceildiv(a, b))\ng.set_value(1, asc.ceildiv(b, a))", "a, b")
    out = run(kernel, np.uint32(2**32 - 1), np.int64(-(2**40)), dtype=np.int64)
    assert out[:2].tolist() == [0, -256]


# ---------------------------------------------------------------- types

TYPES = {
    name: getattr(asc, name) for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32")
}


def promoted(a, b):
    """The language reference: the wider one; equal widths of different signedness the next wider signed; any float at least float32."""
    if a == b:
        return a
    fa, fb = a.startswith("float"), b.startswith("float")
    if fa != fb:
        return "float32"
    width = {n: int("".join(c for c in n if c.isdigit())) for n in (a, b)}
    if width[a] != width[b]:
        return a if width[a] > width[b] else b
    return {8: "int16", 16: "int32", 32: "int64", 64: None}[width[a]]


@pytest.mark.parametrize("left", TYPES)
def test_promotion(left):
    body = "".join(
        f"b{i} = b.cast(asc.{right})\nassert (asc.number(1, asc.{left}) + b{i}).dtype == asc.{promoted(left, right)}\n"
        for i, right in enumerate(TYPES)
        if promoted(left, right)
    )
    kernel_of(body, "b: int").compile(np.zeros(64, np.int32), 1)


def test_no_common_type_of_64_bit_ints():
    d = refused("x = asc.number(1, asc.int64) + asc.number(1, asc.uint64)  # here", "T102")
    assert "cast" in d.help


@pytest.mark.parametrize("dtype", TYPES)
def test_literals_are_weak(dtype):
    kind = "float32" if not dtype.startswith("float") else dtype
    body = f"""
    x = a.cast(asc.{dtype})
    assert (x + 1).dtype == asc.{dtype}
    assert (1 + x).dtype == asc.{dtype}
    assert (x * 1.5).dtype == asc.{kind}
    assert (x + True).dtype == asc.{dtype}
    """
    kernel_of(body, "a: int").compile(np.zeros(64, np.int32), 1)


def test_bools_are_ints_in_arithmetic():
    same_as_python(
        "x = a > b\ny = a < 3\ng.set_value(0, x + y)\ng.set_value(1, x * 5)\ng.set_value(2, x & y)\ng.set_value(3, -x)\ng.set_value(4, ~x)",
        *INTS,
        parameters="a: int, b: int",
    )


def test_ints_and_floats_mix():
    same_as_python(
        "g.set_value(0, a * 2.5)\ng.set_value(1, 0.5 + a)\ng.set_value(2, a / 4.0)",
        *[(a,) for a in (-3, 0, 7)],
        parameters="a: int",
        dtype=np.float32,
    )


def test_large_ints_are_int64():
    same_as_python("g.set_value(0, a + 1)\ng.set_value(1, a // 3)", (2**40,), (-(2**40),), parameters="a: int", dtype=np.int64)


def test_unsigned_values_are_unsigned():
    body = """
        x = asc.number(200, asc.uint8)
        g.set_value(0, x >> 1)
        g.set_value(1, x // 3)
        g.set_value(2, x > 100)
        g.set_value(3, x.cast(asc.int32))
        g.set_value(4, x % 7)
        g.set_value(5, x.cast(asc.int8))
        """
    assert run(kernel_of(body))[:6].tolist() == [100, 66, 1, 200, 200 % 7, -56]


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_casts_of_ints_wrap(dtype):
    kernel = kernel_of(f"g.set_value(0, a.cast(asc.{dtype}).cast(asc.int64))", "a: int")
    for a in (-200, -1, 0, 127, 128, 65535, 70000):
        assert run(kernel, a, dtype=np.int64)[0] == np.int64(a).astype(dtype).astype(np.int64)


def test_casts_of_floats_truncate_and_saturate():
    kernel = kernel_of("g.set_value(0, a.cast(asc.int32))", "a: float")
    for a, expected in ((2.9, 2), (-2.9, -2), (1e20, 2**31 - 1), (-1e20, -(2**31)), (float("nan"), 0)):
        assert run(kernel, np.float32(a))[0] == expected


def test_float16_arithmetic_rounds_once():
    kernel = kernel_of(
        "x = a.cast(asc.float16)\ny = b.cast(asc.float16)\ng.set_value(0, x + y)\ng.set_value(1, x * y)\ng.set_value(2, x / y)",
        "a: float, b: float",
    )
    rng = np.random.default_rng(1)
    for _ in range(50):
        a, b = rng.normal(size=2).astype(np.float16)
        out = run(kernel, np.float32(a), np.float32(b), dtype=np.float16)
        assert out[:3].tolist() == [a + b, a * b, a / b]


def test_literal_that_does_not_fit():
    d = refused("x = asc.number(1, asc.int8) + 300  # here", "T101")
    assert "300" in d.message and "int8" in d.message


def test_division_by_literal_zero():
    refused("g.set_value(0, n // 0)  # here", "T107", 3, parameters="n: int")


def test_static_operators_follow_python():
    body = """
    x = 7
    g.set_value(0, x / 2 == 3.5)
    g.set_value(1, -x // 2)
    g.set_value(2, 2 ** 70 % 1000)
    g.set_value(3, len('abc' * 3))
    g.set_value(4, 3 in (1, 2, 3))
    g.set_value(5, None is None)
    g.set_value(6, (1, 2) + (3,) == (1, 2, 3))
    g.set_value(7, not x)
    g.set_value(8, f'{x:03d}' == '007')
    """
    same_as_python(body)


CONTAINERS = [
    "(1, 5, 7)",
    "[a + 1, 5, a * a]",
    "(2, a)",
    "()",
    "{1, 5}",
    "{5: 1, 7: 2}",
    "(None, 'a', 5, 1.5)",
    "range(2, 6)",
    "range(7, 0, -3)",
]
CONTAINERS += ["range(0)", "range(4, 5)", "range(-9, 9, 4)"]


@pytest.mark.parametrize("container", CONTAINERS)
def test_membership_of_run_time_values(container):
    body = f"g.set_value(0, a in {container})\ng.set_value(1, a not in {container})\ng.set_value(2, 5 in {container})\nx = a in {container}"
    same_as_python(body, *[(a,) for a in range(-9, 9)], parameters="a: int")


def test_a_static_value_among_run_time_ones():
    body = """
        g.set_value(0, 5 in (a, 5))
        g.set_value(1, 5 in (a, 7, a + 1))
        g.set_value(2, 'x' in (a, 'x'))
        g.set_value(3, 6 not in [a, None])
        """
    same_as_python(body, (4,), (5,), (6,), parameters="a: int")


def test_membership_that_is_refused():
    refused("x = a in 'abc'  # here", "T106", 3, parameters="a: int")
    refused("x = a in range(5)  # here", "T106", 3.0, parameters="a: float")


def test_float64_is_storage():
    refused("x = asc.number(1, asc.float64) + 1  # here", "T105")


def test_operators_on_tensors_are_refused():
    d = refused("x = g + g  # here", "T106")
    assert "GlobalTensor" in d.message
