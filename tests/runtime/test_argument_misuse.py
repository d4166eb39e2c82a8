# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Anything may be passed to a launch: it runs, or a PyascError says what is wrong with which argument.
import array
import decimal
import fractions
import itertools
import random
import typing
import warnings

import asc
import numpy as np
import pytest
from asc.runtime.jit import MockTensor, MockValue
from pyasc.errors import PyascError


class Strange:
    """Every question fails."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    def __repr__(self):
        raise RuntimeError("repr")

    def __len__(self):
        raise RuntimeError("len")

    def __eq__(self, other):
        raise RuntimeError("eq")

    __hash__ = None


class Index:
    def __index__(self):
        return 8


class Interface:
    __array_interface__: typing.ClassVar = {"shape": (1 << 40,), "typestr": "<f4", "data": (8, False), "version": 3}


def read_only(x):
    x.flags.writeable = False
    return x


WHOLE = np.zeros(4096, np.float32)
VALUES = {
    "array": lambda: np.zeros(64, np.float32),
    "other type": lambda: np.zeros(64, np.int16),
    "empty": lambda: np.zeros(0, np.float32),
    "one element": lambda: np.zeros(1, np.float32),
    "no dimension": lambda: np.zeros((), np.float32),
    "five dimensions": lambda: np.zeros((2, 2, 2, 2, 4), np.float32),
    "every other": lambda: np.zeros(128, np.float32)[::2],
    "backwards": lambda: np.zeros(64, np.float32)[::-1],
    "transposed": lambda: np.zeros((8, 8), np.float32).T,
    "broadcast": lambda: np.broadcast_to(np.float32(1), (64,)),
    "column": lambda: np.zeros((64, 3), np.float32)[:, 1],
    "read-only": lambda: read_only(np.zeros(64, np.float32)),
    "part of an array": lambda: WHOLE[:64],
    "overlapping part": lambda: WHOLE[32:96],
    "not aligned": lambda: np.zeros(257, np.uint8)[1:].view(np.float32),
    "big-endian": lambda: np.zeros(64, ">f4"),
    "structured": lambda: np.zeros(64, "f4,i4"),
    "objects": lambda: np.zeros(64, object),
    "text array": lambda: np.zeros(64, "U3"),
    "dates": lambda: np.zeros(64, "M8[s]"),
    "complex array": lambda: np.zeros(64, np.complex64),
    "long double": lambda: np.zeros(64, np.longdouble),
    "masked": lambda: np.ma.masked_all(64, np.float32),
    "matrix": lambda: np.asmatrix(np.zeros((8, 8), np.float32)),
    "record": lambda: np.zeros(64, np.float32).view(np.recarray),
    "zero strides": lambda: np.lib.stride_tricks.as_strided(np.zeros(1, np.float32), (64,), (0,)),
    "bytes": lambda: b"\0" * 256,
    "bytearray": lambda: bytearray(256),
    "memoryview": lambda: memoryview(bytearray(256)),
    "array.array": lambda: array.array("f", [0] * 64),
    "interface": Interface,
    "int": lambda: 8,
    "negative": lambda: -8,
    "bool": lambda: True,
    "large": lambda: 2**40,
    "too large": lambda: 2**64,
    "huge": lambda: -(10**5000),
    "float": lambda: 0.5,
    "nan": lambda: float("nan"),
    "infinite": lambda: float("-inf"),
    "complex": lambda: 1j,
    "numpy int": lambda: np.int8(8),
    "numpy bool": lambda: np.bool_(True),
    "numpy float": lambda: np.float16(8),
    "numpy long double": lambda: np.longdouble(8),
    "numpy text": lambda: np.str_("8"),
    "numpy date": lambda: np.datetime64(0, "s"),
    "fraction": lambda: fractions.Fraction(8),
    "decimal": lambda: decimal.Decimal(8),
    "index": Index,
    "none": lambda: None,
    "text": lambda: "8",
    "list": lambda: [0.0] * 64,
    "tuple": lambda: (8,),
    "dict": dict,
    "set": set,
    "generator": lambda: (i for i in range(3)),
    "function": lambda: len,
    "class": lambda: int,
    "module": lambda: np,
    "dtype": lambda: asc.float32,
    "numpy dtype": lambda: np.dtype("f4"),
    "stand-in": lambda: MockTensor(asc.float32),
    "stand-in without type": lambda: MockTensor(None),
    "stand-in for a number": lambda: MockValue(asc.int32),
    "kernel": lambda: kernel,
    "launcher": lambda: kernel[1],
    "strange": Strange,
}


@asc.jit
def kernel(x: asc.GlobalAddress, y, n: int, scale: asc.float16, flag: asc.ConstExpr = 0):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    x_gm.set_value(0, 1)
    if flag:
        tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
        asc.duplicate(tile, 2.0, n)


def outcome(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call()
            return "ran"
        except PyascError as error:
            assert str(error) and error.to_json() and error.diagnostics[0].message
            return error.code


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("parameter", ["x", "y", "n", "scale", "flag"])
def test_one_argument(parameter, name):
    good = {"x": np.zeros(64, np.float32), "y": np.zeros(64, np.float32), "n": 8, "scale": 0.5, "flag": 0}
    call = good | {parameter: VALUES[name]()}
    for launch in (kernel[1], kernel.options(check=False)[2], kernel.compile):
        code = outcome(lambda: launch(**call))  # noqa: B023 called here
        assert code == "ran" or code[0] in "KLMRST", code


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 100))])
def test_many_arguments(seed):
    rng = random.Random(seed)
    seen = set()
    for _ in range(150):
        arguments = [VALUES[rng.choice(list(VALUES))]() for _ in range(rng.choice((0, 3, 4, 5, 5, 5, 6)))]
        named = {rng.choice(("x", "n", "flag", "y", "core_num", "check", "")): 1 for _ in range(rng.choice((0, 0, 0, 1)))}
        seen.add(outcome(lambda: kernel[rng.choice((1, 3))](*arguments, **named)))  # noqa: B023 called here
    assert len(seen) > 3


def test_cores_and_brackets():
    codes = {outcome(lambda: kernel[index]) for index in itertools.chain((make() for make in VALUES.values()), [(), (1, 2, 3), (1, None)])}  # noqa: B023
    assert codes <= {"ran", "K102", "K103", "K104", "K105"}
