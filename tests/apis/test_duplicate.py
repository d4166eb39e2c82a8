# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# duplicate: every element of dst becomes the scalar.
import pytest
from support.refusals import assert_dtypes_refused
from support.vector_api import COMMON_FORMS, VectorApi, check

DUPLICATE = VectorApi(
    "duplicate",
    formula=lambda scalar: scalar,
    dtypes=("int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32"),
    sources=(),
    scalar=True,
)


@pytest.mark.parametrize("form", COMMON_FORMS)
@pytest.mark.parametrize("dtype", DUPLICATE.dtypes)
def test_results(dtype, form):
    check(DUPLICATE, form, dtype)


def test_other_dtypes_are_refused():
    assert_dtypes_refused(DUPLICATE)
