# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# dst = src0 op src1, element by element: every API x form x element type against its formula.
import numpy as np
import pytest
from support.formulas import divided, maximum, minimum, relu
from support.refusals import assert_dtypes_refused
from support.vector_api import COMMON_FORMS, VectorApi, check

DTYPES = ("int16", "int32", "float16", "float32")


BITS = ("int16", "uint16")
FLOATS = ("float16", "float32")
RELU = ("int16", *FLOATS)


def binary(name, formula, dtypes=DTYPES, reads_dst=False):
    return VectorApi(name, formula, dtypes, sources=("src0", "src1"), params="BinaryRepeatParams", reads_dst=reads_dst)


APIS = [
    binary("add", np.add),
    binary("sub", np.subtract),
    binary("mul", np.multiply),
    binary("div", divided, FLOATS),
    binary("max", maximum),
    binary("min", minimum),
    binary("bitwise_and", np.bitwise_and, BITS),
    binary("bitwise_or", np.bitwise_or, BITS),
    binary("add_relu", lambda a, b: relu(a + b), RELU),
    binary("sub_relu", lambda a, b: relu(a - b), RELU),
    binary("fused_mul_add", lambda a, b, dst: a * dst + b, FLOATS, reads_dst=True),
    binary("fused_mul_add_relu", lambda a, b, dst: relu(a * dst + b), FLOATS, reads_dst=True),
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
