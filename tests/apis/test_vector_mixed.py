# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Vector instructions whose dst may have another element type than the sources: every API x form x pair of types against its formula.
from itertools import product

import numpy as np
import pytest
from support.dtypes import NUMPY
from support.formulas import relu, rounded_to
from support.kernel_file import load
from support.refusals import diagnostics_of, text_of
from support.vector_api import COMMON_FORMS, FORMS, VectorApi, check, kernel_text

MUL_ADD = ("float16", "float32", "float16_to_float32")
RELU_CAST = ("float16_to_int8", "float32_to_float16", "int16_to_int8")


def multiplied_and_added(a, b, dst):
    """The product of float16 is exact in float32; otherwise it is rounded to the element type."""
    return a.astype(dst.dtype) * b.astype(dst.dtype) + dst


def relu_cast(operation):
    """Of the exact result of integers; of the result of floats in the type of the sources."""

    def formula(a, b):
        if a.dtype == np.int16:
            return rounded_to("int8", relu(operation(a.astype(np.int32), b.astype(np.int32))))
        return rounded_to("int8" if a.dtype == np.float16 else "float16", relu(operation(a, b)))

    return formula


def mul_cast(dtype):
    return VectorApi(
        "mul_cast", lambda a, b: rounded_to(dtype, a * b), (f"float16_to_{dtype}",), ("src0", "src1"), params="BinaryRepeatParams"
    )


APIS = [
    VectorApi("mul_add_dst", multiplied_and_added, MUL_ADD, ("src0", "src1"), params="BinaryRepeatParams", reads_dst=True),
    VectorApi(
        "axpy",
        lambda src, dst, scalar: multiplied_and_added(src, scalar, dst),
        MUL_ADD,
        ("src",),
        scalar=True,
        params="UnaryRepeatParams",
        reads_dst=True,
    ),
    VectorApi("add_relu_cast", relu_cast(np.add), RELU_CAST, ("src0", "src1"), params="BinaryRepeatParams"),
    VectorApi("sub_relu_cast", relu_cast(np.subtract), RELU_CAST, ("src0", "src1"), params="BinaryRepeatParams"),
    mul_cast("int8"),
    mul_cast("uint8"),
]
MATRIX = [
    pytest.param(api, dtype, form, id=f"{api.name}-{dtype}-{form}")
    for api in APIS
    for dtype in api.dtypes
    for form in COMMON_FORMS
    if api.name != "mul_cast" or "is_set_mask" not in FORMS[form].call  # it has no is_set_mask
]


@pytest.mark.parametrize("api, dtype, form", MATRIX)
def test_results(api, dtype, form):
    check(api, form, dtype)


@pytest.mark.parametrize("name", sorted({api.name for api in APIS}))
def test_other_pairs_are_refused(name):
    apis = [api for api in APIS if api.name == name]
    legal = {dtype for api in apis for dtype in api.dtypes}
    for src, dst in product(NUMPY, NUMPY):
        dtype = src if src == dst else f"{src}_to_{dst}"
        if dtype in legal:
            continue
        text = kernel_text(apis[0], FORMS["count"], dtype)
        kernel = load(text).kernel
        arrays = [np.zeros(256, NUMPY[dst]), *(np.zeros(256, NUMPY[src]) for _ in apis[0].sources)]
        scalar = [1] if apis[0].scalar else []
        found = diagnostics_of(lambda: kernel.compile(*arrays, 256, *(0 for _ in apis[0].operands), *scalar, 8))  # noqa: B023
        assert found[0].code in ("R101", "R117"), f"{name} {dtype}"
        assert name in found[0].message and (src.rstrip("_") in text_of(found[0]) or dst.rstrip("_") in text_of(found[0]))


IN_PLACE = """import asc


@asc.jit
def kernel(z: asc.GlobalAddress, a: asc.GlobalAddress, b: asc.GlobalAddress):
    z_gm, a_gm, b_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    z_gm.set_global_buffer(z, 1024)
    a_gm.set_global_buffer(a, 1024)
    b_gm.set_global_buffer(b, 1024)
    src0 = asc.LocalTensor(asc.{src}, asc.TPosition.VECCALC, 8192, 1024)
    src1 = asc.LocalTensor(asc.{src}, asc.TPosition.VECCALC, 16384, 1024)
    dst = asc.LocalTensor(asc.{dst}, asc.TPosition.VECCALC, {at}, 1024)
    asc.data_copy(src0, a_gm, 1024)
    asc.data_copy(src1, b_gm, 1024)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.{api}(dst, src0, src1, 1024)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, dst, 1024)
"""


@pytest.mark.parametrize("at, legal", [(8192, True), (16384, True), (8192 - 32, False), (8192 + 32, False), (8192 + 256, False)])
def test_narrower_over_the_sources(at, legal):
    """Results that are half as wide may take the place of the sources, from the same byte on."""
    kernel = load(IN_PLACE.format(src="float32", dst="float16", api="add_relu_cast", at=at)).kernel
    a, b, z = np.arange(1024, dtype=np.float32), np.full(1024, 0.5, np.float32), np.zeros(1024, np.float16)
    if legal:
        kernel[1](z, a, b)
        np.testing.assert_array_equal(z, (a + b).astype(np.float16))
    else:
        assert diagnostics_of(lambda: kernel[1](z, a, b))[0].code == "R109"


@pytest.mark.parametrize("at, legal", [(8192, False), (16384, False), (20480, True)])
def test_wider_over_the_sources(at, legal):
    """Of wider results even the first repeat would overwrite what others read."""
    source = IN_PLACE.format(src="float16", dst="float32", api="mul_add_dst", at=at)
    kernel = load(
        source.replace("    asc.mul", "    asc.duplicate(dst, 1.0, 1024)\n    asc.pipe_barrier(asc.PipeID.PIPE_V)\n    asc.mul")
    ).kernel
    a, b, z = np.arange(1024, dtype=np.float16), np.full(1024, 0.5, np.float16), np.zeros(1024, np.float32)
    if legal:
        kernel[1](z, a, b)
        np.testing.assert_array_equal(z, a.astype(np.float32) * 0.5 + 1)
    else:
        assert diagnostics_of(lambda: kernel[1](z, a, b))[0].code == "R109"


EFFECTS = """import asc


@asc.jit
def kernel(z: asc.GlobalAddress, x: asc.GlobalAddress):
    z_gm, x_gm = asc.GlobalTensor(), asc.GlobalTensor()
    z_gm.set_global_buffer(z, 128)
    x_gm.set_global_buffer(x, 128)
    src = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 128)
    dst = asc.LocalTensor(asc.int8, asc.TPosition.VECCALC, 1024, 256)
    asc.data_copy(src, x_gm, {loaded})
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.mul_cast(dst, src, src, {mask}, 1, asc.BinaryRepeatParams(1, 1, 1, 4, 8, 8))
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, dst, {stored})
"""


@pytest.mark.parametrize(
    "loaded, mask, stored, found",
    [
        (128, 128, 128, None),
        (64, 64, 64, None),
        (64, 65, 64, "UB bytes 128..129"),  # reads an element that is not loaded
        (64, 64, 96, "UB bytes 1088..1119"),  # stores results that are not there
        (128, "[0, 1]", 32, "UB bytes 1024..1055"),
    ],
)
def test_bytes_that_are_read_and_written(loaded, mask, stored, found):
    """Lanes are bytes of dst and pairs of bytes of the sources."""
    kernel = load(EFFECTS.format(loaded=loaded, mask=mask, stored=stored)).kernel
    arrays = np.zeros(128, np.int8), np.ones(128, np.float16)
    if found:
        diagnostics = diagnostics_of(lambda: kernel[1](*arrays))
        assert diagnostics[0].code == "M301" and found in diagnostics[0].message
    else:
        kernel[1](*arrays)
        assert (arrays[0][:stored] == 1).all()
