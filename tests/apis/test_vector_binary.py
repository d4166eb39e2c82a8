# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# dst = src0 op src1, element by element: every API x form x element type against its formula.
import numpy as np
import pytest
from support.formulas import divided, maximum, minimum, relu
from support.kernel_file import load
from support.refusals import assert_dtypes_refused, diagnostics_of, text_of
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


@pytest.mark.parametrize("name, reads_dst", [(api.name, api.reads_dst) for api in APIS if "float32" in api.dtypes])
def test_dst_is_read_or_not(name, reads_dst):
    """A destination that nothing was written to is a finding where the instruction reads it."""
    kernel = load(
        f"""import asc


@asc.jit
def kernel(x: asc.GlobalAddress):
    dst = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    src = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 4096, 64)
    asc.duplicate(src, 1.0, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.{name}(dst, src, src, 64)
"""
    ).kernel
    launch = lambda: kernel[1](np.zeros(64, np.float32))  # noqa: E731
    if not reads_dst:
        return launch()
    [found] = diagnostics_of(launch)
    assert found.code == "M301" and "dst" in text_of(found), text_of(found)
