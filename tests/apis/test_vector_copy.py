# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# copy within the unified buffer: as a vector instruction with one source, and in counter mode by repeats.
import random

import numpy as np
import pytest
from support.dtypes import NUMPY, assert_same, random_array
from support.kernel_file import load
from support.refusals import diagnostics_of
from support.vector_api import FORMS, VectorApi, check, kernel_text
from test_vector_gather import DTYPES

COPY = VectorApi("copy", lambda a: a, DTYPES, ("src",), params="CopyRepeatParams")


@pytest.mark.parametrize("form", ["mask", "mask_bits", "mask_register"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_copy(dtype, form):
    check(COPY, form, dtype, amount=25)


def test_large_strides():
    text = kernel_text(COPY, FORMS["mask"], "int16")
    kernel = load(text).kernel
    dst, src = np.zeros(32768, np.int16), np.arange(32768, dtype=np.int16)
    order = [line.split(":")[0].strip() for line in text.split("def kernel(")[1].split(")")[0].split(",")][2:]
    values = {"size": 65536, "mask": 17, "repeats": 3, "dst_block": 1000, "src_block": 300, "dst_repeat": 500, "src_repeat": 4}
    kernel[1](dst, src, *(values.get(name, 0) for name in order))
    want = np.zeros_like(dst)
    for r in range(3):
        want[r * 8000 :][:16] = src[r * 64 :][:16]
        want[r * 8000 + 16000] = src[r * 64 + 4800]
    np.testing.assert_array_equal(dst, want)


COUNTER = """import asc


@asc.jit
def kernel(dst_in: asc.GlobalAddress, src_in: asc.GlobalAddress, count: int, repeats: int, db: int, sb: int, dr: int, sr: int):
    dst_gm, src_gm = asc.GlobalTensor(), asc.GlobalTensor()
    dst_gm.set_global_buffer(dst_in, {n})
    src_gm.set_global_buffer(src_in, {n})
    dst = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, 0, {n})
    src = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, 65536, {n})
    asc.data_copy(dst, dst_gm, {n})
    asc.data_copy(src, src_gm, {n})
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.set_mask_count()
    asc.set_vector_mask(count, dtype=asc.{dtype}, mode=asc.MaskMode.COUNTER)
    asc.copy(dst, {src}, 0, repeats, asc.CopyRepeatParams(db, sb, dr, sr), is_set_mask=False)
    asc.set_mask_norm()
    asc.reset_mask()
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(dst_gm, dst, {n})
"""


@pytest.mark.parametrize("dtype", ["int16", "float32"])
def test_counter_mode_counts_the_elements_of_a_repeat(dtype):
    t = NUMPY[dtype]
    n, per_block = 65536 // t.itemsize, 32 // t.itemsize
    kernel = load(COUNTER.format(dtype=dtype, n=n, src="src")).kernel
    rng, numbers = np.random.default_rng(2), random.Random(dtype)
    for _ in range(40):
        count = numbers.choice([0, 1, per_block - 1, per_block, per_block + 1, 8 * per_block, 8 * per_block + 3, 500])
        repeats = numbers.choice([0, 1, 2, 5])
        db, sb, dr, sr = (
            numbers.choice([1, 2, 3]),
            numbers.choice([0, 1, 2]),
            numbers.choice([0, 8, 64, 100]),
            numbers.choice([0, 1, 8, 64]),
        )
        dst, src = random_array(rng, dtype, n), random_array(rng, dtype, n)
        want = dst.copy()
        for r in range(repeats):
            k = np.arange(count)
            block, lane = k // per_block, k % per_block
            want[(r * dr + block * db) * per_block + lane] = src[(r * sr + block * sb) * per_block + lane]
        kernel[1](dst, src, count, repeats, db, sb, dr, sr)
        assert_same(dst, want, f"copy {dtype} {(count, repeats, db, sb, dr, sr)}")


def test_counter_mode_stays_inside():
    kernel = load(COUNTER.format(dtype="int16", n=32768, src="src")).kernel
    dst, src = np.zeros(32768, np.int16), np.zeros(32768, np.int16)
    kernel[1](dst, src, 32768, 1, 1, 1, 8, 8)
    for count in (32769, 2**31 - 1):
        found = diagnostics_of(lambda: kernel[1](dst, src, count, 1, 1, 1, 8, 8))  # noqa: B023
        assert "R110" in [d.code for d in found]
    kernel = load(COUNTER.format(dtype="int16", n=32768, src="dst[1600:]")).kernel
    kernel[1](dst, src, 1600, 1, 1, 1, 8, 8)
    assert diagnostics_of(lambda: kernel[1](dst, src, 1601, 1, 1, 1, 8, 8))[0].code == "R109"


def test_copy_onto_itself_is_refused():
    text = kernel_text(COPY, FORMS["mask"], "int16", ("dst", "dst"))
    kernel = load(text).kernel
    order = [part.split(":")[0].strip() for part in text.split("def kernel(")[1].split(")")[0].split(",")][1:]
    values = {"size": 4096, "mask": 128, "repeats": 2, "dst_block": 1, "src_block": 1, "dst_repeat": 8, "src_repeat": 8}
    found = diagnostics_of(lambda: kernel[1](np.zeros(2048, np.int16), *(values.get(name, 0) for name in order)))
    assert found[0].code == "R109"


def test_other_dtypes_are_refused():
    for dtype in ("int8", "uint8", "int64", "uint64"):
        text = kernel_text(COPY, FORMS["mask"], dtype)
        arrays = [np.zeros(64, NUMPY[dtype]) for _ in range(2)]
        assert diagnostics_of(lambda: load(text).kernel[1](*arrays, *[1] * 9))[0].code == "R101"  # noqa: B023
