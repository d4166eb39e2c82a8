# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# duplicate: every element of dst becomes the scalar.
import asc
import numpy as np
import pytest
from pyasc.errors import CheckError, PyascWarning
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


@asc.jit
def fill_in_counter_mode(x: asc.GlobalAddress, mask: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 128)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 128)
    asc.duplicate(tile, 0.0, 128)
    asc.set_mask_count()
    asc.duplicate(tile, 1.0, mask, 1, 1, 8)
    asc.set_mask_norm()
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, tile, 128)


def test_the_bits_of_a_mask_are_a_count_in_counter_mode():
    """As on the device, with a warning: a mask of 3 is the number 0b111."""
    x = np.full(128, np.nan, np.float32)
    with pytest.warns(PyascWarning) as caught:
        fill_in_counter_mode[1](x, 3)
    assert [warning.message.diagnostic.code for warning in caught] == ["R107"]
    np.testing.assert_array_equal(x, np.arange(128) < 7)


def test_errors_of_a_launch_with_warnings_come_first():
    with pytest.raises(CheckError) as caught:
        fill_in_counter_mode[1](np.zeros(128, np.float32), 8)  # 255 elements
    codes = [(diagnostic.code, diagnostic.severity) for diagnostic in caught.value.diagnostics]
    assert codes[0][1] == "error" and ("R107", "warning") in codes
