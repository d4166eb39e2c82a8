# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# dst = src0 op src1, element by element: every API x form x element type against its formula.
import numpy as np
import pytest
from support.formulas import maximum, minimum
from support.refusals import assert_dtypes_refused
from support.vector_api import COMMON_FORMS, VectorApi, check

DTYPES = ("int16", "int32", "float16", "float32")


def binary(name, formula, dtypes=DTYPES):
    return VectorApi(name, formula, dtypes, sources=("src0", "src1"), params="BinaryRepeatParams")


APIS = [
    binary("add", np.add),
    binary("sub", np.subtract),
    binary("mul", np.multiply),
    binary("max", maximum),
    binary("min", minimum),
]
MATRIX = [pytest.param(api, dtype, id=f"{api.name}-{dtype}") for api in APIS for dtype in api.dtypes]


@pytest.mark.parametrize("form", COMMON_FORMS)
@pytest.mark.parametrize("api, dtype", MATRIX)
def test_results(api, dtype, form):
    check(api, form, dtype)


@pytest.mark.parametrize(
    "operands", [("dst", "dst", "src1"), ("dst", "src0", "dst"), ("dst", "dst", "dst"), ("dst", "src0", "src0")], ids=",".join
)
@pytest.mark.parametrize("api, dtype", MATRIX)
def test_same_tensor_twice(api, dtype, operands):
    check(api, "count", dtype, amount=12, operands=operands)


@pytest.mark.parametrize("api", APIS, ids=lambda api: api.name)
def test_other_dtypes_are_refused(api):
    assert_dtypes_refused(api)
