# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# data_copy between global memory and the unified buffer and inside it: both forms, every element type, every byte of the destination.
import numpy as np
import pytest
from support.dtypes import NUMPY, assert_same, random_array
from support.kernel_file import load
from support.refusals import diagnostics_of, text_of

BYTES = 96 * 1024  # bytes of one tensor; source and destination share the unified buffer

# Each path: the copy under test as a user writes it, and how the tensors get in and out.
PATHS = {
    "gm_to_ub": """
    asc.data_copy(dst, dst_gm, n)
    asc.pipe_barrier(asc.PipeID.PIPE_MTE2)
    asc.data_copy(dst[dst_offset], src_gm[src_offset], {how})
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(dst_gm, dst, n)
""",
    "ub_to_gm": """
    asc.data_copy(src, src_gm, n)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(dst_gm[dst_offset], src[src_offset], {how})
""",
    "ub_to_ub": """
    asc.data_copy(src, src_gm, n)
    asc.data_copy(dst, dst_gm, n)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.data_copy(dst[dst_offset], src[src_offset], {how})
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(dst_gm, dst, n)
""",
}
FORMS = {
    "count": ("count: int", "count"),
    "params": ("blocks: int, length: int, src_gap: int, dst_gap: int", "asc.DataCopyParams(blocks, length, src_gap, dst_gap)"),
}
STRIDES = [
    (1, 1, 0, 0),
    (2, 3, 1, 2),
    (4, 2, 0, 1),
    (3, 1, 5, 0),
    (0, 4, 1, 1),
    (5, 0, 1, 1),
    (255, 1, 7, 3),
    (1, 1000, 9, 9),
    (7, 40, 3, 2),
    (2, 1, 900, 1000),
]
COUNTS = [0, 1, 2, 7, 8, 9, 64, 1001]  # 32-byte blocks


def kernel_of(path: str, form: str, dtype: str):
    params, how = FORMS[form]
    t = f"asc.{dtype}, asc.TPosition.VECCALC"
    size = BYTES // NUMPY[dtype].itemsize
    return load(f"""import asc


@asc.jit
def kernel(dst_address: asc.GlobalAddress, src_address: asc.GlobalAddress, n: int, dst_offset: int, src_offset: int, {params}):
    dst_gm = asc.GlobalTensor()
    dst_gm.set_global_buffer(dst_address, n)
    src_gm = asc.GlobalTensor()
    src_gm.set_global_buffer(src_address, n)
    dst = asc.LocalTensor({t}, 0, {size})
    src = asc.LocalTensor({t}, {BYTES}, {size})
{PATHS[path].format(how=how)}""").kernel


def copied(dst: np.ndarray, src: np.ndarray, blocks: int, length: int, src_gap: int, dst_gap: int) -> None:
    """Blocks of `length` x 32 bytes, with gaps of so many x 32 bytes between the end of one and the start of the next."""
    to, fr = dst.view(np.uint8), src.view(np.uint8)
    for i in range(blocks):
        d, s = 32 * i * (length + dst_gap), 32 * i * (length + src_gap)
        to[d : d + 32 * length] = fr[s : s + 32 * length]


def offsets(path: str, itemsize: int) -> list[tuple[int, int]]:
    """Element offsets of destination and source: the unified buffer wants 32 bytes, global memory one element."""
    block = 32 // itemsize
    gm = 3
    return [(0, 0), (block, gm if path == "gm_to_ub" else 2 * block), (gm if path == "ub_to_gm" else 5 * block, 7 * block)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("dtype", NUMPY)
def test_bytes(dtype, path, form):
    kernel = kernel_of(path, form, dtype)
    itemsize = NUMPY[dtype].itemsize
    rng = np.random.default_rng(itemsize)
    cases = [(1, c, 0, 0) for c in COUNTS] if form == "count" else STRIDES
    for blocks, length, src_gap, dst_gap in cases:
        for dst_offset, src_offset in offsets(path, itemsize):
            last = max(blocks - 1, 0) * (length + max(src_gap, dst_gap)) + length
            size = (last + 10) * 32 // itemsize
            dst, src = random_array(rng, dtype, size), random_array(rng, dtype, size)
            want = dst.copy()
            copied(want[dst_offset:], src[src_offset:], blocks, length, src_gap, dst_gap)
            how = (length * 32 // itemsize,) if form == "count" else (blocks, length, src_gap, dst_gap)
            before = src.copy()
            kernel[1](dst, src, size, dst_offset, src_offset, *how)
            assert_same(dst, want, f"data_copy {path} {dtype} {form} {(blocks, length, src_gap, dst_gap)} at {dst_offset}, {src_offset}")
            assert_same(src, before, "the source")


@pytest.mark.parametrize("path", PATHS)
def test_a_count_that_is_no_whole_block(path):
    """Refused under the checks; without them the copy is rounded down to whole 32-byte blocks, as on the device."""
    kernel = kernel_of(path, "count", "float16")
    dst, src = np.full(64, -1, np.float16), np.arange(64, dtype=np.float16)
    found = diagnostics_of(lambda: kernel[1](dst, src, 64, 0, 0, 20))
    assert "data_copy" in found[0].message and "40 bytes" in text_of(found[0])
    dst[:] = -1
    kernel.options(check=False)[1](dst, src, 64, 0, 0, 20)
    assert list(dst[:16]) == list(range(16)) and (dst[16:] == -1).all()


@pytest.mark.parametrize("path", PATHS)
def test_both_tensors_have_the_same_dtype(path):
    dst, src = "dst" if path.endswith("ub") else "dst_gm", "src" if path.startswith("ub") else "src_gm"
    source = f"""import asc


@asc.jit
def kernel(dst_address: asc.GlobalAddress, src_address: asc.GlobalAddress, n: int, dst_offset: int, src_offset: int):
    dst_gm = asc.GlobalTensor()
    dst_gm.set_global_buffer(dst_address, n)
    src_gm = asc.GlobalTensor()
    src_gm.set_global_buffer(src_address, n)
    dst = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 64)
    src = asc.LocalTensor(asc.int16, asc.TPosition.VECCALC, 1024, 64)
    asc.data_copy({dst}, {src}, 64)
"""
    kernel = load(source).kernel
    found = diagnostics_of(lambda: kernel[1](np.zeros(64, np.float16), np.zeros(64, np.int16), 64, 0, 0))
    assert "float16" in text_of(found[0]) and "int16" in text_of(found[0])
    assert found[0].span.line == len(source.splitlines())
