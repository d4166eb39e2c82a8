# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The functions of the scalar unit, computed while the kernel runs and, of known arguments, while it is compiled: both are the formula's.
import math
import random

import numpy as np
import pytest
from support.kernel_file import load
from support.refusals import diagnostics_of

ALL = 2**64 - 1
RANDOM = random.Random(8)
BITS = [0, 1, 2, 10, 33, 0xFFFF, 1 << 63, (1 << 63) - 1, 0x0FFFFFFFFFFFFFFF, 0x1000000000000100, ALL, ALL - 1, ALL >> 1, 1 << 32, 1 << 31]
BITS += [RANDOM.getrandbits(64) >> RANDOM.randrange(64) for _ in range(100)]
BITS += [ALL ^ (RANDOM.getrandbits(64) >> RANDOM.randrange(64)) for _ in range(50)]


def binary(value: int) -> str:
    return f"{value & ALL:064b}"


def same_as_sign(value: int) -> int:
    text = binary(value)
    rest = text[1:]
    return -1 if value in (0, -1) else len(rest) - len(rest.lstrip(text[0]))


FUNCTIONS = {
    "scalar_get_sff_value(VALUE, 1)": lambda v: binary(v)[::-1].find("1"),
    "scalar_get_sff_value(VALUE, 0)": lambda v: binary(v)[::-1].find("0"),
    "scalar_get_count_of_value(VALUE, 1)": lambda v: binary(v).count("1"),
    "scalar_get_count_of_value(value_in=VALUE, count_value=0)": lambda v: binary(v).count("0"),
    "scalar_count_leading_zero(VALUE)": lambda v: len(binary(v)) - len(binary(v).lstrip("0")),
    "count_bits_cnt_same_as_sign_bit(VALUE)": same_as_sign,
}
VECTORS = [
    ("scalar_get_sff_value(VALUE, 1)", {0x1000000000000100: 8, 33: 0, 10: 1}),
    ("scalar_get_count_of_value(VALUE, 1)", {0xFFFF: 16, 33: 2}),
    ("scalar_get_count_of_value(value_in=VALUE, count_value=0)", {0xFFFF: 48, 33: 62}),
    ("scalar_count_leading_zero(VALUE)", {0x0100000000000020: 7, 0: 64, 0xFFFF: 48, 0x0FFFFFFFFFFFFFFF: 4, ALL: 0}),
    (
        "count_bits_cnt_same_as_sign_bit(VALUE)",
        {0x0100000000000020: 6, 0x0F00000000000000: 3, 0x000F00FF0FF0FFFF: 11, 0: -1, -1: -1},
    ),
]


def at_run_time(call: str, values: list, dtype: str, result: str = "int64") -> np.ndarray:
    kernel = load(
        f"""import asc


@asc.jit
def kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, n: int):
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    for i in range(n):
        y_gm.set_value(i, asc.{call.replace("VALUE", "x_gm.get_value(i)")})
"""
    ).kernel
    out = np.zeros(len(values), result)
    kernel[1](np.array(values, dtype), out, len(values))
    return out


def while_compiling(call: str, values: list, result: str = "int64") -> np.ndarray:
    lines = "".join(f"    y_gm.set_value({i}, asc.{call.replace('VALUE', str(v))})\n" for i, v in enumerate(values))
    kernel = load(
        f"""import asc

inf, nan = float("inf"), float("nan")


@asc.jit
def kernel(y: asc.GlobalAddress):
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y, {len(values)})
{lines}"""
    ).kernel
    out = np.zeros(len(values), result)
    kernel[1](out)
    name = call.split("(")[0]
    assert f"asc.{name}" not in kernel.compile(out).ir  # nothing is left to run
    return out


@pytest.mark.parametrize("call", FUNCTIONS)
def test_bits(call):
    signed = "same_as" in call
    values = [v - 2**64 if v >> 63 else v for v in BITS] if signed else BITS
    wanted = [FUNCTIONS[call](v) for v in values]
    assert at_run_time(call, values, "int64" if signed else "uint64").tolist() == wanted
    assert while_compiling(call, values).tolist() == wanted


@pytest.mark.parametrize("call, results", VECTORS, ids=[call for call, _ in VECTORS])
def test_documented_vectors(call, results):
    values = list(results)
    assert at_run_time(call, values, "int64" if min(values) < 0 else "uint64").tolist() == list(results.values())
    assert while_compiling(call, values).tolist() == list(results.values())


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"])
def test_narrower_integers_keep_their_value(dtype):
    """The 64 bits of a negative number are its two's complement."""
    low, high = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    values = [low, high, 1, 0, low // 2]
    for call, formula in FUNCTIONS.items():
        if "same_as" in call and dtype == "uint64":
            continue  # as an int64 it would be another number
        assert at_run_time(call, values, dtype).tolist() == [formula(v) for v in values], call
        if dtype != "bool":
            assert while_compiling(call, values).tolist() == [formula(v) for v in values], call


def test_an_int64_is_meant():
    out = diagnostics_of(lambda: at_run_time("count_bits_cnt_same_as_sign_bit(VALUE)", [ALL], "uint64"))
    assert out[0].code == "M205"


# ---------------------------------------------------------------- scalar_cast

HALVES = np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(np.float64)
NUMBERS = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    0.49999997,
    -0.49999997,
    3.5,
    8388607.5,
    -8388607.5,
    16777215.0,
    2147483520.0,
    -2147483648.0,
]
NUMBERS += [2147483648.0, 1e20, -1e20, 65504.0, 65505.0, 65519.0, 65520.0, -1e5, 6e-8, 1e-8, -1e-45, 6.1e-5, 1.0009765, math.inf, -math.inf]
NUMBERS = [float(np.float32(v)) for v in NUMBERS]
NUMBERS += [float(v) for v in np.random.default_rng(3).normal(0, 1000, 200).astype(np.float32)]
NUMBERS += [float(v) + half for v in range(-20, 20) for half in (0.25, 0.5, 0.75)]


def away(x: np.ndarray) -> np.ndarray:
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


ROUNDINGS = {"CAST_RINT": np.rint, "CAST_FLOOR": np.floor, "CAST_CEIL": np.ceil, "CAST_ROUND": away}


@pytest.mark.parametrize("mode", ROUNDINGS)
def test_cast_to_int32(mode):
    values = [*NUMBERS, math.nan]
    wanted = [*np.clip(ROUNDINGS[mode](np.array(NUMBERS)), -(2**31), 2**31 - 1).astype(np.int64).tolist(), 0]
    call = f"scalar_cast(VALUE, asc.int32, asc.RoundMode.{mode})"
    assert at_run_time(call, values, "float32", "int32").tolist() == wanted
    assert while_compiling(call, values, "int32").tolist() == wanted


def test_documented_roundings():
    documented = {2.5: (2, 3, 2, 3), -2.5: (-2, -3, -3, -2)}
    for column, mode in enumerate(["RINT", "ROUND", "FLOOR", "CEIL"]):
        call = f"scalar_cast(VALUE, asc.int32, asc.RoundMode.CAST_{mode})"
        assert at_run_time(call, list(documented), "float32", "int32").tolist() == [row[column] for row in documented.values()]
    odd = "scalar_cast(VALUE, asc.float16, asc.RoundMode.CAST_ODD)"
    assert at_run_time(odd, [0.500244140625], "float32", "float16").tolist() == [0.50048828125]


def odd_half(x: float) -> float:
    """Of the two neighbours of a number that float16 does not have, the one whose last bit is set; none is beyond the largest."""
    below = min(np.searchsorted(HALVES, abs(x), side="right") - 1, len(HALVES) - 1)
    return math.copysign(HALVES[below if HALVES[below] == abs(x) else below | 1], x)


def test_cast_to_float16():
    halves = np.array([x if math.isinf(x) else odd_half(x) for x in NUMBERS], np.float16)
    wanted = [*halves.view(np.uint16).tolist(), 0x7E00]
    values = [*NUMBERS, math.nan]
    call = "scalar_cast(value_in=VALUE, dtype=asc.float16, round_mode=asc.RoundMode.CAST_ODD)"
    assert at_run_time(call, values, "float32", "float16").view(np.uint16).tolist() == wanted
    assert while_compiling(call, values, "float16").view(np.uint16).tolist() == wanted


REFUSED = [
    ("scalar_cast(x, asc.int16, asc.RoundMode.CAST_RINT)", "R101", "dtype is int16, expected int32 or float16"),
    ("scalar_cast(x, asc.int32, asc.RoundMode.CAST_TRUNC)", "R124", "round_mode is CAST_TRUNC to int32"),
    ("scalar_cast(x, asc.int32, asc.RoundMode.CAST_NONE)", "R124", "round_mode is CAST_NONE to int32"),
    ("scalar_cast(x, asc.int32, asc.RoundMode.CAST_ODD)", "R124", "expected CAST_RINT, CAST_FLOOR, CAST_CEIL or CAST_ROUND"),
    ("scalar_cast(x, asc.float16, asc.RoundMode.CAST_RINT)", "R124", "round_mode is CAST_RINT to float16, expected CAST_ODD"),
    ("scalar_cast('1', asc.int32, asc.RoundMode.CAST_RINT)", "T401", "'value_in' is '1' (str)"),
    ("scalar_cast(x, asc.int32, 1.5)", "T401", "expected a member of RoundMode"),
    ("scalar_get_sff_value(n, 2)", "R105", "count_value is 2, expected 0 to 1"),
    ("scalar_get_count_of_value(n, -1)", "R105", "count_value is -1, expected 0 to 1"),
    ("scalar_get_sff_value(n, n)", "T401", "'count_value' is an int32 value, expected an int known while compiling"),
    ("scalar_get_sff_value(n, 1.0)", "T401", "'count_value' is"),
    ("scalar_get_sff_value(n, 10**30)", "T401", "'count_value' is"),
    ("scalar_count_leading_zero(x)", "T401", "expected an int"),
    ("scalar_count_leading_zero(2**64)", "T101", "does not fit uint64"),
    ("count_bits_cnt_same_as_sign_bit(2**63)", "T101", "does not fit int64"),
]


@pytest.mark.parametrize("call, code, message", REFUSED, ids=[call for call, _, _ in REFUSED])
def test_refused(call, code, message):
    kernel = load(f"import asc\n\n\n@asc.jit\ndef kernel(x: float, n: int):\n    asc.{call}\n").kernel
    (found,) = diagnostics_of(lambda: kernel[1](1.0, 1))
    assert (found.code, found.span.line) == (code, 6)
    assert message in found.message
