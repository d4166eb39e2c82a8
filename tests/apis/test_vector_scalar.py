# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# dst = src op scalar, element by element: every API x form x element type against its formula.
from dataclasses import replace

import numpy as np
import pytest
from support.dtypes import NUMPY
from support.formulas import leaky_relu, maximum, minimum, shifted_left, shifted_right
from support.refusals import assert_dtypes_refused
from support.vector_api import FORMS, VectorApi, check

DTYPES = ("int16", "int32", "float16", "float32")
SHIFTED = ("int16", "uint16", "int32", "uint32")


def scalar(name, formula, dtypes=DTYPES):
    return VectorApi(name, formula, dtypes, sources=("src",), scalar=True, params="UnaryRepeatParams")


def shift(name, formula):
    distances = lambda dtype: [0, 1, 2, 7, 8 * NUMPY[dtype].itemsize - 1, 8 * NUMPY[dtype].itemsize]  # noqa: E731
    return replace(scalar(name, formula, SHIFTED), scalars=distances)


APIS = [
    scalar("adds", np.add),
    scalar("muls", np.multiply),
    scalar("maxs", maximum),
    scalar("mins", minimum),
    scalar("leaky_relu", leaky_relu, ("float16", "float32")),
    shift("shift_left", shifted_left),
    shift("shift_right", shifted_right),
]
MATRIX = [pytest.param(api, dtype, id=f"{api.name}-{dtype}") for api in APIS for dtype in api.dtypes]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("api, dtype", MATRIX)
def test_results(api, dtype, form):
    check(api, form, dtype)


@pytest.mark.parametrize("api, dtype", MATRIX)
def test_in_place(api, dtype):
    check(api, "count", dtype, amount=12, operands=("dst", "dst"))


@pytest.mark.parametrize("api", APIS, ids=lambda api: api.name)
def test_other_dtypes_are_refused(api):
    assert_dtypes_refused(api)
