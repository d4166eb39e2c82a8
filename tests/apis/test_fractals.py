# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# data_copy with Nd2NzParams (rows to fractals, from global memory to the unified buffer) and Nz2NdParamsFull (back): every byte of the
# destination, written from the specification; and the forms of data_copy that only the cube core has.
import warnings

import numpy as np
import pytest
from support.dtypes import NUMPY, assert_same, random_array
from support.kernel_file import load
from support.refusals import diagnostics_of, text_of

SIZE = 96 * 1024  # bytes of a tensor

TO_FRACTALS = """import asc


@asc.jit
def kernel(dst_address: asc.GlobalAddress, src_address: asc.GlobalAddress, n: int, nd: int, rows: int, columns: int, src_matrix: int,
           src_row: int, c0: int, dst_row: int, dst_matrix: int):
    dst_gm, src_gm = asc.GlobalTensor(), asc.GlobalTensor()
    dst_gm.set_global_buffer(dst_address, n)
    src_gm.set_global_buffer(src_address, n)
    dst = asc.LocalTensor(asc.DTYPE, asc.TPosition.VECCALC, 0, LENGTH)
    asc.data_copy(dst, dst_gm, n)
    asc.pipe_barrier(asc.PipeID.PIPE_MTE2)
    asc.data_copy(dst, src_gm, asc.Nd2NzParams(nd, rows, columns, src_matrix, src_row, c0, dst_row, dst_matrix))
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(dst_gm, dst, n)
"""
FROM_FRACTALS = """import asc


@asc.jit
def kernel(dst_address: asc.GlobalAddress, src_address: asc.GlobalAddress, n: int, nd: int, rows: int, columns: int, src_matrix: int,
           src_column: int, dst_row: int, dst_matrix: int):
    dst_gm, src_gm = asc.GlobalTensor(), asc.GlobalTensor()
    dst_gm.set_global_buffer(dst_address, n)
    src_gm.set_global_buffer(src_address, n)
    src = asc.LocalTensor(asc.DTYPE, asc.TPosition.VECCALC, 0, LENGTH)
    asc.data_copy(src, src_gm, n)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(dst_gm, src, asc.Nz2NdParamsFull(nd, rows, columns, src_matrix, src_column, dst_row, dst_matrix))
"""


def kernel_of(text: str, dtype: str):
    return load(text.replace("DTYPE", dtype).replace("LENGTH", str(SIZE // NUMPY[dtype].itemsize))).kernel


def nd2nz(dst, src, nd, rows, columns, src_matrix, src_row, c0, dst_row, dst_matrix) -> None:
    """06-data-movement sections 8 and 13, element by element."""
    width = 32 // dst.itemsize
    for m in range(nd):
        for n in range(rows):
            for c in range(-(-columns // width)):
                for j in range(width):
                    column = c * width + j
                    value = src[m * src_matrix + n * src_row + column] if column < columns else 0
                    dst[m * dst_matrix + (c * c0 + n * dst_row) * width + j] = value


def nz2nd(dst, src, nd, rows, columns, src_matrix, src_column, dst_row, dst_matrix) -> None:
    """06-data-movement sections 9 and 13, row by row."""
    for m in range(nd):
        for n in range(rows):
            for c in range(columns // 16):
                to, fr = m * dst_matrix + n * dst_row + 16 * c, m * src_matrix * 256 + c * src_column * 16 + n * 16
                dst[to : to + 16] = src[fr : fr + 16]


# nd, rows, columns, src_matrix, src_row, c0, dst_row; the matrix stride of dst is made of them
TO = [
    (1, 32, 32, 0, 32, 32, 1),
    (1, 3, 40, 0, 47, 5, 1),
    (1, 5, 33, 0, 33, 1, 4),
    (3, 4, 20, 90, 20, 4, 1),
    (2, 2, 64, 64, 1, 9, 3),
    (1, 1, 64, 0, 64, 1, 1),
    (0, 4, 16, 0, 16, 4, 1),
    (1, 0, 16, 0, 16, 4, 1),
    (1, 4, 0, 0, 16, 4, 1),
    (1, 1, 1, 0, 1, 1, 1),
    (1, 300, 16, 0, 16, 300, 1),
]
FROM = [
    (1, 32, 32, 1, 32, 32, 1),
    (1, 1, 16, 1, 1, 16, 1),
    (1, 5, 48, 1, 7, 53, 1),
    (2, 16, 32, 2, 16, 40, 700),
    (3, 8, 16, 1, 0, 16, 200),
    (0, 8, 16, 1, 8, 16, 1),
    (2, 4, 32, 1, 0, 33, 150),
]


@pytest.mark.filterwarnings("ignore::pyasc.errors.PyascWarning")  # R165, where the library differs
@pytest.mark.parametrize("dtype", [dtype for dtype in NUMPY if NUMPY[dtype].itemsize < 8])
def test_rows_to_fractals(dtype):
    kernel, width = kernel_of(TO_FRACTALS, dtype), 32 // NUMPY[dtype].itemsize
    rng = np.random.default_rng(width)
    for nd, rows, columns, src_matrix, src_row, c0, dst_row in TO:
        blocks = -(-columns // width) * c0 + rows * dst_row
        dst_matrix = blocks * width if nd > 1 else 0
        size = max(nd, 1) * max(blocks * width, src_matrix, rows * src_row + columns) + 64
        size = -(-size // width) * width
        dst, src = random_array(rng, dtype, size), random_array(rng, dtype, size)
        want, before = dst.copy(), src.copy()
        nd2nz(want, src, nd, rows, columns, src_matrix, src_row, c0, dst_row, dst_matrix)
        kernel[1](dst, src, size, nd, rows, columns, src_matrix, src_row, c0, dst_row, dst_matrix)
        assert_same(dst, want, f"{dtype} {(nd, rows, columns, src_matrix, src_row, c0, dst_row, dst_matrix)}")
        assert_same(src, before, "the source")


@pytest.mark.parametrize("dtype", [dtype for dtype in NUMPY if NUMPY[dtype].itemsize in (2, 4)])
def test_fractals_to_rows(dtype):
    kernel = kernel_of(FROM_FRACTALS, dtype)
    rng = np.random.default_rng(7)
    for params in FROM:
        size = 2048
        dst, src = random_array(rng, dtype, size), random_array(rng, dtype, size)
        want, before = dst.copy(), src.copy()
        nz2nd(want, src, *params)
        kernel[1](dst, src, size, *params)
        assert_same(dst, want, f"{dtype} {params}")
        assert_same(src, before, "the source")


def test_large_fractals_of_an_array_that_nobody_writes():
    """Both sides are without gaps and of one size, and yet it is no plain copy."""
    text = TO_FRACTALS.replace("    asc.data_copy(dst, dst_gm, n)\n    asc.pipe_barrier(asc.PipeID.PIPE_MTE2)\n", "")
    kernel = kernel_of(text, "float16")
    src, dst = np.arange(128 * 64, dtype=np.float16), np.zeros(128 * 64, np.float16)
    kernel[1](dst, src, src.size, 1, 128, 64, 0, 64, 128, 1, 0)
    assert (dst.reshape(4, 128, 16) == src.reshape(128, 4, 16).transpose(1, 0, 2)).all()


def test_there_and_back():
    there, back = kernel_of(TO_FRACTALS, "int16"), kernel_of(FROM_FRACTALS, "int16")
    src = np.arange(48 * 80, dtype=np.int16)
    fractals, rows = np.zeros_like(src), np.zeros_like(src)
    there[1](fractals, src, src.size, 1, 48, 80, 0, 80, 48, 1, 0)
    back[1](rows, fractals, src.size, 1, 48, 80, 1, 48, 80, 1)
    assert (fractals != src).any() and (rows == src).all()


@pytest.mark.parametrize(
    ("dtype", "params", "what"),
    [
        ("float16", (1, 8, 16, 0, 16, 8, 2, 0), "dst_nz_n_stride is 2"),
        ("float16", (1, 8, 20, 0, 20, 8, 1, 0), "d_value is 20"),
        ("float16", (1, 256, 16, 0, 17, 256, 1, 0), "n_value is 256"),
        ("float16", (2, 8, 16, 128, 16, 8, 1, 128), "matrices with strides"),
        ("float32", (1, 8, 8, 0, 8, 8, 1, 0), "elements of 32 bits"),
        ("float16", (1, 255, 32, 0, 33, 255, 1, 0), None),
    ],
)
def test_what_the_library_does_otherwise_is_warned_of(dtype, params, what):
    kernel = kernel_of(TO_FRACTALS, dtype)
    dst, src = np.zeros(16384, NUMPY[dtype]), np.ones(16384, NUMPY[dtype])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kernel[1](dst, src, 16384, *params)
    found = [warning.message.diagnostic for warning in caught]
    assert [diagnostic.code for diagnostic in found] == (["R165"] if what else [])
    assert not what or what in found[0].message


def test_bytes_that_fractals_reach_are_checked():
    kernel = kernel_of(TO_FRACTALS, "float16")
    dst, src = np.zeros(512, np.float16), np.zeros(512, np.float16)
    found = diagnostics_of(lambda: kernel[1](dst, src, 512, 1, 17, 32, 0, 32, 17, 1, 0))
    assert found[0].code == "R110" and "544 elements" in found[0].message
    kernel = kernel_of(FROM_FRACTALS, "float16")
    found = diagnostics_of(lambda: kernel[1](dst, src, 512, 1, 16, 32, 1, 16, 33, 1))
    assert found[0].code == "R110" and "527 elements" in found[0].message


CUBE = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x, 256)
    ub = asc.LocalTensor(asc.float16, asc.TPosition.VECIN, 0, 256)
    l1 = asc.LocalTensor(asc.float16, asc.TPosition.A1, 0, 256)
    l0c = asc.LocalTensor(asc.float16, asc.TPosition.CO1, 0, 256)
    asc.data_copy({call})
"""


@pytest.mark.parametrize(
    ("call", "what"),
    [
        ("l1, gm, 256", "GM to A1"),
        ("l1, ub, asc.Nd2NzParams(1, 16, 16, 0, 16, 16, 1, 0)", "VECIN to A1"),
        ("ub, ub[16], asc.Nd2NzParams(1, 16, 16, 0, 16, 16, 1, 0)", "VECIN to VECIN"),
        ("ub, gm, asc.Nz2NdParamsFull(1, 16, 16, 1, 16, 16, 1)", "GM to VECIN"),
    ],
)
def test_paths_that_a_vector_core_does_not_have(call, what):
    found = diagnostics_of(lambda: load(CUBE.format(call=call)).kernel[1](np.zeros(256, np.float16)))
    assert found[0].code == "R111" and what in found[0].message
    assert ("not supported yet" in text_of(found[0])) == ("l1" in call)


@pytest.mark.parametrize(
    "call",
    [
        "data_copy(gm, l0c, asc.DataCopyCO12DstParams(16, 16, 16, 16, asc.QuantModes.F322F16))",
        "data_copy(l1, l0c, intri_params=asc.DataCopyCO12DstParams(16, 16, 16, 16))",
        "data_copy_pad(l1, ub, asc.DataCopyExtParams(1, 512), asc.Nd2NzParams(1, 16, 16, 0, 16, 16, 1, 0))",
        "data_copy_pad(l1, ub, asc.DataCopyParams(1, 512), nd2nz_params=asc.Nd2NzParams(1, 16, 16, 0, 16, 16, 1, 0))",
    ],
)
def test_forms_of_the_cube_core(call):
    text = CUBE.replace("asc.data_copy({call})", "asc." + call)
    found = diagnostics_of(lambda: load(text).kernel[1](np.zeros(256, np.float16)))
    assert found[0].code == "T403" and call.partition("(")[0] in found[0].message


def test_enhanced_params_do_nothing_here():
    text = """import asc


@asc.jit
def kernel(dst: asc.GlobalAddress, src: asc.GlobalAddress, blocks: int):
    gm, out = asc.GlobalTensor(), asc.GlobalTensor()
    gm.set_global_buffer(src, 64)
    out.set_global_buffer(dst, 64)
    ub = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(ub, gm, asc.DataCopyParams(1, blocks, 0, 0), asc.DataCopyEnhancedParams(is_relu_in=True))
    asc.data_copy(out, ub, intri_params=asc.DataCopyParams(1, blocks), enhanced_params=asc.DataCopyEnhancedParams())
"""
    dst, src = np.zeros(64, np.float32), -np.arange(64, dtype=np.float32)
    load(text).kernel[1](dst, src, 8)
    assert (dst == src).all()


def test_a_member_of_another_enumeration():
    text = CUBE.format(call="ub, gm, asc.DataCopyParams(1, 8), asc.DataCopyEnhancedParams(asc.DeqScale.DEQ)")
    found = diagnostics_of(lambda: load(text).kernel[1](np.zeros(256, np.float16)))
    assert found[0].code == "T103" and "BlockMode" in text_of(found[0])
