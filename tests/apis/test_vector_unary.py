# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# dst = op src, element by element: every API x form x element type against its formula.
import numpy as np
import pytest
from support.formulas import relu
from support.refusals import assert_dtypes_refused
from support.vector_api import COMMON_FORMS, VectorApi, check


def unary(name, formula, dtypes=("float16", "float32")):
    return VectorApi(name, formula, dtypes, sources=("src",), params="UnaryRepeatParams")


APIS = [
    unary("abs", np.abs),
    unary("relu", relu, ("float16", "int32", "float32")),
]
MATRIX = [pytest.param(api, dtype, id=f"{api.name}-{dtype}") for api in APIS for dtype in api.dtypes]


@pytest.mark.parametrize("form", COMMON_FORMS)
@pytest.mark.parametrize("api, dtype", MATRIX)
def test_results(api, dtype, form):
    check(api, form, dtype)


@pytest.mark.parametrize("api, dtype", MATRIX)
def test_in_place(api, dtype):
    check(api, "count", dtype, amount=12, operands=("dst", "dst"))


@pytest.mark.parametrize("api", APIS, ids=lambda api: api.name)
def test_other_dtypes_are_refused(api):
    assert_dtypes_refused(api)
