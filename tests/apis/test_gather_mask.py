# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gather_mask against the specification in NumPy: patterns, both modes, strides, the count it gives back, and what it reads.
import random

import numpy as np
import pytest
from support.dtypes import NUMPY, assert_same, bits, random_array
from support.kernel_file import load
from support.refusals import diagnostics_of

REGION = 48 * 1024
DTYPES = ("int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32")
PARAMS = "dst_in: asc.GlobalAddress, src_in: asc.GlobalAddress, bits_in: asc.GlobalAddress, count_in: asc.GlobalAddress, pattern: int, "
PARAMS += "mode: bool, mask: int, block_stride: int, repeats: int, stride: int, bits_stride: int, dst_at: int = 0, src_at: int = 0"


def kernel_of(dtype: str, custom: bool, loaded: int = 0, after=()):
    size = NUMPY[dtype].itemsize
    n = REGION // size
    lines = ["count_gm = asc.GlobalTensor()", "count_gm.set_global_buffer(count_in, 2)"]
    for at, (name, t, copied) in enumerate((("dst", dtype, n), ("src", dtype, loaded or n), ("bits", f"uint{8 * size}", n))):
        lines += [
            f"{name}_gm = asc.GlobalTensor()",
            f"{name}_gm.set_global_buffer({name}_in, {n})",
            f"{name} = asc.LocalTensor(asc.{t}, asc.TPosition.VECCALC, {at * REGION}, {n})",
            f"asc.data_copy({name}, {name}_gm, {copied})",
        ]
    pattern = "bits" if custom else "pattern"
    lines += [
        "asc.set_flag(asc.HardEvent.MTE2_V, 0)",
        "asc.wait_flag(asc.HardEvent.MTE2_V, 0)",
        "params = asc.GatherMaskParams(block_stride, repeats, stride, bits_stride)",
        f"kept = asc.gather_mask(dst[dst_at], src[src_at], {pattern}, mode, mask, params)",
        "count_gm.set_value(0, kept)",
        "count_gm.set_value(1, asc.get_gather_mask_remain_count())",
        *after,
        "asc.set_flag(asc.HardEvent.V_MTE3, 0)",
        "asc.wait_flag(asc.HardEvent.V_MTE3, 0)",
        f"asc.data_copy(dst_gm, dst, {n})",
    ]
    return load(f"import asc\n\n\n@asc.jit\ndef kernel({PARAMS}):\n" + "".join(f"    {line}\n" for line in lines)).kernel


def selected(pattern, words: np.ndarray, scan: int, repeat: int, bits_stride: int) -> np.ndarray:
    i = np.arange(scan)
    if pattern:
        return {1: i % 2 == 0, 2: i % 2 == 1, 7: i >= 0}.get(pattern, i % 4 == pattern - 3)
    start = repeat * bits_stride * 32
    return np.unpackbits(words.view(np.uint8)[start:], bitorder="little")[:scan].astype(bool)


def expected(dst, src, words, case) -> tuple[np.ndarray, int]:
    lanes, per_block = 256 // src.itemsize, 32 // src.itemsize
    scan = case["mask"] if case["mode"] else lanes
    kept = []
    for r in range(case["repeats"] if scan else 0):
        i = np.arange(scan)
        where = (r * case["stride"] + i // per_block * case["block_stride"]) * per_block + i % per_block
        kept.append(src[where[selected(case["pattern"], words, scan, r, case["bits_stride"])]])
    values = np.concatenate(kept) if kept else src[:0]
    want = dst.copy()
    want[: values.size] = values
    return want, values.size


@pytest.mark.parametrize("custom", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_results(dtype, custom):
    kernel, size = kernel_of(dtype, custom), NUMPY[dtype].itemsize
    n, lanes = REGION // size, 256 // size
    rng, numbers, done = np.random.default_rng(4), random.Random(dtype), 0
    while done < 30:
        case = {
            "pattern": 0 if custom else numbers.randint(1, 7),
            "mode": numbers.random() < 0.5,
            "mask": numbers.choice([0, 1, 7, lanes - 1, lanes, lanes + 6, 3 * lanes + 1]),
            "block_stride": numbers.choice([0, 1, 1, 2, 255]),
            "repeats": numbers.choice([0, 1, 2, 3, 17, 255]),
            "stride": numbers.choice([0, 1, 8, 9, 65535]),
            "bits_stride": numbers.choice([0, 1, 2]),
        }
        scan = case["mask"] if case["mode"] else lanes
        dst_at, src_at = (numbers.choice([0, 0, 1, 5]) * (32 // size) for _ in range(2))
        reach = (max(case["repeats"] - 1, 0) * case["stride"] + scan * size // 32 * case["block_stride"] + 1) * 32 + src_at * size
        if reach > REGION or dst_at + scan * case["repeats"] > n:
            continue
        done += 1
        dst, src = random_array(rng, dtype, n), random_array(rng, dtype, n)
        words = rng.integers(0, 1 << 8 * size, n, dtype=np.uint64).astype(f"u{size}")
        counts = np.zeros(2, np.uint64)
        want = dst.copy()
        want[dst_at:], count = expected(dst[dst_at:], src[src_at:], words, case)
        order = ("pattern", "mode", "mask", "block_stride", "repeats", "stride", "bits_stride")
        values = [case[k] or (1 if k == "pattern" else case[k]) for k in order]
        kernel[1](dst, src, words, counts, *values, dst_at, src_at)
        assert bits(dst).tobytes() == bits(want).tobytes(), f"{dtype} {case} {dst_at} {src_at}"
        assert counts.tolist() == [count, count]
        assert_same(dst, want, f"{case}")


def arrays(words=0):
    n = REGION // 4
    return [np.zeros(n, np.float32), np.ones(n, np.float32), np.full(n, words, np.uint32), np.zeros(2, np.uint64)]


def test_reads_only_what_the_pattern_selects():
    """64 elements of src are loaded: bits beyond them are a finding only where they are set."""
    kernel = kernel_of("float32", True, loaded=64)
    values = arrays()
    values[2][:2] = 0xFFFFFFFF
    kernel[1](*values, 1, True, 100, 1, 1, 8, 1)
    values[2][2] = 2
    found = diagnostics_of(lambda: kernel[1](*values, 1, True, 100, 1, 1, 8, 1))
    assert found[0].code == "M301" and f"UB bytes {REGION + 65 * 4}..{REGION + 65 * 4 + 3}" in found[0].message


def test_mask_that_is_left():
    after = ["asc.adds(dst, dst, 1.0, 1, 1, asc.UnaryRepeatParams(), is_set_mask=False)", "asc.reset_mask()"]
    values = arrays()
    kernel_of("float32", False, after=after)[1](*values, 7, True, 5, 1, 1, 8, 0)
    np.testing.assert_array_equal(values[0][:8], [2, 1, 2, 1, 1, 0, 0, 0])  # MASK = (0, 5)


@pytest.mark.parametrize(
    "values, code",
    [((8, False, 0, 1, 1, 8, 0), "R105"), ((0, False, 0, 1, 1, 8, 0), "R105"), ((7, True, 1 << 31, 1, 65535, 0, 0), "R154")],
)
def test_refusals(values, code):
    found = diagnostics_of(lambda: kernel_of("float32", False)[1](*arrays(), *values))
    assert found[0].code == code


@pytest.mark.parametrize("pattern, src, code", [("uint16", "float32", "R154"), ("uint32", "float16", "R154"), ("uint32", "int64", "R101")])
def test_types(pattern, src, code):
    source = f"""import asc


@asc.jit
def kernel(x: asc.GlobalAddress):
    src = asc.LocalTensor(asc.{src}, asc.TPosition.VECCALC, 0, 64)
    dst = asc.LocalTensor(asc.{src}, asc.TPosition.VECCALC, 4096, 64)
    pattern = asc.LocalTensor(asc.{pattern}, asc.TPosition.VECCALC, 8192, 64)
    asc.gather_mask(dst, src, pattern, False, 0, asc.GatherMaskParams(1, 1, 8, 0))
"""
    found = diagnostics_of(lambda: load(source).kernel[1](np.zeros(8, np.float32)))
    assert found[0].code == code


def test_huge_calls_end_at_once():
    """Without checks: beyond all memory is still an error, whatever the strides."""
    kernel = kernel_of("float32", True).options(check=False)
    found = diagnostics_of(lambda: kernel[1](*arrays(), 1, True, (1 << 31) - 1, 0, 65535, 0, 0))
    assert found[0].code == "M101"
