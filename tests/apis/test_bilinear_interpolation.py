# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# bilinear_interpolation against the steps of the specification: gather, spread the weights, multiply, add rows.
import random

import numpy as np
import pytest
from support.dtypes import assert_same, random_array
from support.kernel_file import load
from support.refusals import diagnostics_of

KERNEL = """import asc


@asc.jit
def kernel(dst_in: asc.GlobalAddress, src0_in: asc.GlobalAddress, offset_in: asc.GlobalAddress, src1_in: asc.GlobalAddress,
           {mask_params}, h: int, mode: bool, stride: int, row: int, v: int, at: int = 0):
    dst_gm, src0_gm, offset_gm, src1_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    dst_gm.set_global_buffer(dst_in, 16384)
    src0_gm.set_global_buffer(src0_in, 8192)
    offset_gm.set_global_buffer(offset_in, {offsets})
    src1_gm.set_global_buffer(src1_in, {weights})
    dst = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 16384)
    src0 = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 32768, 8192)
    offset = asc.LocalTensor(asc.uint32, asc.TPosition.VECCALC, 49152, 2048)
    src1 = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 57344, {weights})
    tmp = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 65536, 131072)
    asc.data_copy(dst, dst_gm, 16384)
    asc.data_copy(src0, src0_gm, {loaded})
    asc.data_copy(offset, offset_gm, {offsets})
    asc.data_copy(src1, src1_gm, {weights})
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.bilinear_interpolation(dst[16 * at], src0[16 * at], offset[8 * at], src1[16 * at], {mask}, h, mode, stride, row, v, tmp)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(dst_gm, {result}, 16384)
"""
FORMS = {"mask": ("mask: int", "mask"), "mask_bits": ("low, high", "[low, high]")}


def kernel_of(form="mask", offsets=2048, weights=2048, loaded=8192, result="dst"):
    params, mask = FORMS[form]
    return load(KERNEL.format(mask_params=params, mask=mask, offsets=offsets, weights=weights, loaded=loaded, result=result)).kernel


def interpolated(dst, src0, offset, src1, lanes, h, mode, stride, row, v) -> None:
    rows = []
    with np.errstate(all="ignore"):
        for r in range(h * v):
            gathered = np.concatenate([src0[start // 2 :][:16] for start in offset[8 * r :][:8]])
            weights = np.repeat(src1[8 * r :][:8], 16) if mode else src1[r]
            rows.append(gathered * weights)
        for i in range(v):
            total = rows[i * h]
            for j in range(1, h):
                total = rows[i * h + j] + total
            total = total + np.float16(0)
            for k in lanes:
                dst[i * row + k // 16 * stride * 16 + k % 16] = total[k]


@pytest.mark.parametrize("mode", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_results(form, mode):
    kernel = kernel_of(form)
    rng, numbers = np.random.default_rng(7), random.Random(f"{form} {mode}")
    for _ in range(25):
        h, v = numbers.choice([(1, 1), (2, 2), (3, 1), (1, 5), (4, 7), (51, 5), (255, 1), (1, 100)])
        stride = numbers.choice([1, 1, 2, 3])
        row = numbers.choice([128 * stride, 128 * stride + 16]) if v > 1 else 128
        at = numbers.choice([0, 1, 3]) if h * v < 250 else 0
        if 16 * at + (v - 1) * row + 128 * stride > 16384:
            continue
        dst, src0 = random_array(rng, "float16", 16384), random_array(rng, "float16", 8192)
        src1 = random_array(rng, "float16", 2048)
        offset = (rng.integers(0, 512 - at, 2048) * 32).astype(np.uint32)
        if form == "mask":
            mask = numbers.choice([0, 1, 17, 64, 127, 128])
            lanes, values = range(mask), (mask,)
        else:
            low, high = numbers.getrandbits(64), numbers.getrandbits(64)
            lanes, values = [k for k in range(128) if (high << 64 | low) >> k & 1], (np.uint64(low), np.uint64(high))
        want = dst.copy()
        interpolated(want[16 * at :], src0[16 * at :], offset[8 * at :], src1[16 * at :], lanes, h, mode, stride, row, v)
        kernel[1](dst, src0, offset, src1, *values, h, mode, stride, row, v, at)
        assert_same(dst, want, f"bilinear_interpolation {form} {mode} {(h, v, stride, row, at)}")


def arrays(offset):
    values = [np.zeros(16384, np.float16), np.ones(8192, np.float16), np.zeros(2048, np.uint32), np.ones(2048, np.float16)]
    values[2][: len(offset)] = offset
    return values


def test_reads_only_the_gathered_blocks():
    """Half of src0 is not loaded: an offset into it is found, offsets beside it are not."""
    kernel = kernel_of(loaded=4096)
    kernel[1](*arrays([0, 8160]), 128, 1, False, 1, 128, 1)
    found = diagnostics_of(lambda: kernel[1](*arrays([0, 8192]), 128, 1, False, 1, 128, 1))
    assert found[0].code == "M301" and "UB bytes 40960..40991" in found[0].message


def test_offsets_outside_the_unified_buffer():
    found = diagnostics_of(lambda: kernel_of()[1](*arrays([0, 1 << 20]), 128, 1, False, 1, 128, 1))
    assert found[0].code == "M101"


def test_weights_that_are_missing():
    values = arrays([0])
    kernel = kernel_of(weights=16)
    kernel[1](values[0], values[1], values[2], np.ones(16, np.float16), 128, 16, False, 1, 128, 1)
    kernel[1](values[0], values[1], values[2], np.ones(16, np.float16), 128, 2, True, 1, 128, 1)
    for h, mode in ((17, False), (3, True)):
        run = lambda: kernel[1](values[0], values[1], values[2], np.ones(16, np.float16), 128, h, mode, 1, 128, 1)  # noqa: B023, E731
        assert diagnostics_of(run)[0].code == "R110"


def test_intermediate_results_are_garbage():
    kernel = kernel_of(result="tmp.reinterpret_cast(asc.float16)")
    assert diagnostics_of(lambda: kernel[1](*arrays([0]), 128, 1, False, 1, 128, 1))[0].code == "M302"


@pytest.mark.parametrize("h, row, v, code", [(16, 128, 16, "R119"), (1, 136, 1, "R119"), (0, 128, 1, "R105"), (1, 112, 1, "R105")])
def test_values_out_of_range(h, row, v, code):
    assert diagnostics_of(lambda: kernel_of()[1](*arrays([0]), 128, h, False, 1, row, v))[0].code == code
