# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Bit 48 of the control register off, as set_ctrl_spr does it: results of 16 bits are the largest number for Inf and 0 for NaN. Every vector
# instruction with float16 or bfloat16 against its formula; what several roundings make is saturated once. Sums of reductions, each of whose
# additions saturates, are in test_repeat_reduce.
from dataclasses import replace

import pytest
import test_cast
import test_dequantise
import test_duplicate
import test_vector_binary
import test_vector_copy
import test_vector_mixed
import test_vector_scalar
import test_vector_unary
from support.dtypes import assert_same
from support.formulas import saturated
from support.rounding import converted
from support.vector_api import VectorApi, check, type_of

OFF = "asc.set_ctrl_spr(48, 48, 0)"


KEPT = ("abs", "duplicate", "copy")  # bits are moved: nothing is rounded
APIS = [
    *test_vector_binary.APIS,
    *test_vector_scalar.APIS,
    *test_vector_unary.APIS,
    *test_vector_mixed.APIS,
    test_duplicate.DUPLICATE,
    test_vector_copy.COPY,
    test_dequantise.add_deq_relu("60000.0"),
]


def saturating(api: VectorApi) -> VectorApi:
    formula = api.formula if api.name in KEPT else lambda *values: saturated(api.formula(*values))
    return replace(api, formula=formula, before=(*api.before, OFF))


MATRIX = [
    pytest.param(saturating(api), dtype, id=f"{api.name}-{dtype}")
    for api in APIS
    for dtype in api.dtypes
    if {"float16", "bfloat16"} & {type_of(dtype, "src"), type_of(dtype, "dst")}
]


@pytest.mark.parametrize("form", ["mask", "mask_bits"])
@pytest.mark.parametrize("api, dtype", MATRIX)
def test_results(api, dtype, form):
    check(api, form, dtype, amount=8)


@pytest.mark.parametrize("pair", [pair for pair in test_cast.PAIRS if "float16" in pair])  # and bfloat16
def test_conversions(pair):
    for mode in test_cast.PAIRS[pair]:
        check(saturating(test_cast.cast(pair, mode)), "mask_bits", pair, amount=8)


@pytest.mark.parametrize("dst", ["float16", "bfloat16"])
def test_borders_of_conversions(dst):
    """All that float32 has near the numbers of 16 bits and beyond them."""
    x = test_cast.borders("float32", dst)
    for mode in test_cast.PAIRS[f"float32_to_{dst}"]:
        got = test_cast.run(x, dst, mode, before=OFF)
        assert_same(got, saturated(converted(x, dst, mode)), mode)
