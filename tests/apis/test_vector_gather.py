# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gather, gatherb and brcb against the specification, element by element: where each element of dst comes from.
import random

import numpy as np
import pytest
from support.dtypes import NUMPY, assert_same, random_array
from support.kernel_file import load
from support.refusals import diagnostics_of
from support.vector_unit import Operand, first_lanes, lanes_of, lanes_of_bits

DTYPES = ("int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32")
DST, SRC, OFFSETS = 65536, 16384, 65536  # bytes of the buffers

FRAME = """import asc


@asc.jit
def kernel(dst_in: asc.GlobalAddress, src_in: asc.GlobalAddress, offset_in: asc.GlobalAddress, loaded: int, dst_at: int, {params}):
    dst_gm, src_gm, offset_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    dst_gm.set_global_buffer(dst_in, {dst})
    src_gm.set_global_buffer(src_in, {src})
    offset_gm.set_global_buffer(offset_in, 16384)
    dst = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, 0, {dst})
    src = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, 65536, {src})
    offset = asc.LocalTensor(asc.uint32, asc.TPosition.VECCALC, 81920, 16384)
    asc.data_copy(dst, dst_gm, {dst})
    asc.data_copy(src, src_gm, loaded)
    asc.data_copy(offset, offset_gm, 16384)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    {before}
    asc.{call}
    {after}
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(dst_gm, dst, {dst})
"""
NOTHING = "asc.set_mask_norm()"


def kernel_of(dtype: str, call: str, params: str, before: str = NOTHING, after: str = NOTHING):
    itemsize = NUMPY[dtype].itemsize
    return load(
        FRAME.format(dtype=dtype, call=call, params=params, before=before, after=after, dst=DST // itemsize, src=SRC // itemsize)
    ).kernel


def arrays_of(dtype: str, rng) -> tuple[np.ndarray, np.ndarray]:
    itemsize = NUMPY[dtype].itemsize
    return random_array(rng, dtype, DST // itemsize), random_array(rng, dtype, SRC // itemsize)


# ---------------------------------------------------------------- gather

GATHER = {  # arguments after the operands, and what they are
    "count": ("base, count", "base: int, count: int"),
    "mask": ("base, mask, repeats, stride", "base: int, mask: int, repeats: int, stride: int"),
    "mask_bits": ("base, [low, high], repeats, stride", "base: int, low, high, repeats: int, stride: int"),
    "counter": ("base, mask, repeats, stride", "base: int, mask: int, repeats: int, stride: int"),
}


def gathered(dst, src, offsets, at, base, lanes_of_repeat, stride) -> np.ndarray:
    """dst[r, k] is the element of src at byte base + offset[r, k]; offsets have no gaps."""
    per_repeat = lanes_of(dst.itemsize)
    want = dst.copy()
    operand = Operand(want, at, 1, stride)
    for r, lanes in enumerate(lanes_of_repeat):
        want[operand.elements(r, lanes)] = src[(base + offsets[r * per_repeat + lanes].astype(np.int64)) // dst.itemsize]
    return want


def counted(count: int, per_repeat: int) -> list[np.ndarray]:
    return [np.arange(min(per_repeat, count - start)) for start in range(0, count, per_repeat)]


@pytest.mark.parametrize("form", GATHER)
@pytest.mark.parametrize("dtype", DTYPES)
def test_gather(dtype, form):
    call, params = GATHER[form]
    counter = form == "counter"
    kernel = kernel_of(
        dtype,
        f"gather(dst[dst_at], src, offset, {call})",
        params,
        *(("asc.set_mask_count()", "asc.set_mask_norm()") if counter else ()),
    )
    if counter:  # in counter mode the bits of a mask argument are a count, which is warned of
        kernel = kernel.options(check=False)
    rng, numbers = np.random.default_rng(3), random.Random(f"{dtype} {form}")
    itemsize = NUMPY[dtype].itemsize
    per_repeat = lanes_of(itemsize)
    for _ in range(12):
        dst, src = arrays_of(dtype, rng)
        base, at = numbers.choice([0, 0, itemsize, 96]), numbers.choice([0, 32 // itemsize, 160 // itemsize])
        offsets = (rng.integers(0, (SRC - base) // itemsize, 16384) * itemsize).astype(np.uint32)
        stride = numbers.choice([0, 1, 8, 9, 31])
        if form == "count":
            count = numbers.choice([0, 1, 15, 16, 17, per_repeat - 1, per_repeat, per_repeat + 1, 3 * per_repeat + 5, 10_000])
            lanes, values, stride = counted(count, per_repeat), (count,), 8
        elif form == "counter":
            mask = numbers.choice([0, 1, 3, 7])  # the bits of `mask` lanes are the number 2**mask - 1
            lanes, values = counted(2**mask - 1, per_repeat), (mask, numbers.choice([0, 1, 5]), stride)
        else:
            repeats = numbers.choice([0, 1, 2, 7, 60, 16384 // per_repeat - 1])  # of 4 bytes: 255
            stride = 255 if repeats == 7 else min(stride, 8) if repeats > 60 else stride
            if form == "mask":
                mask = numbers.choice([0, 1, 17, per_repeat - 1, per_repeat, 1000])
                on, values = first_lanes(mask, itemsize), (mask, repeats, stride)
            else:
                low, high = numbers.getrandbits(64), numbers.choice([0, numbers.getrandbits(64), 2**64 - 1])
                on, values = lanes_of_bits(low, high, itemsize), (np.uint64(low), np.uint64(high), repeats, stride)
            lanes = [on] * repeats
        want = gathered(dst, src, offsets, at, base, lanes, stride)
        kernel[1](dst, src, offsets, SRC // itemsize, at, base, *values)
        assert_same(dst, want, f"gather {dtype} {form} {values} base {base} at {at}")


def offsets_of(values) -> np.ndarray:
    offsets = np.zeros(16384, np.uint32)
    offsets[: len(values)] = values
    return offsets


CALL = "gather(dst, src, offset, base, count)"


def gather_floats(offsets, loaded: int = 4096, base: int = 0, count: int | None = None, call: str = CALL):
    kernel = kernel_of("float32", call, "base: int, count: int")
    rng = np.random.default_rng(0)
    dst, src = rng.random(16384, dtype=np.float32), rng.random(4096, dtype=np.float32)
    kernel[1](dst, src, offsets_of(offsets), loaded, 0, base, len(offsets) if count is None else count)
    return dst, src


def test_reads_only_the_gathered_elements():
    """Half of src is not loaded: an offset into it is found, its neighbour is not."""
    dst, src = gather_floats([8188, 0, 8188], loaded=2048)
    np.testing.assert_array_equal(dst[:3], src[[2047, 0, 2047]])
    found = diagnostics_of(lambda: gather_floats([0, 8192, 4], loaded=2048))
    assert found[0].code == "M301" and "UB bytes 73728..73731" in found[0].message


@pytest.mark.parametrize(
    "offsets, base, message",
    [
        ([0, 4, 16380, 16384], 0, "offset 3 leads to byte 16384 of src, expected 0 to 16380: it has 16384 bytes"),
        ([0, 16380], 4, "offset 1 leads to byte 16384 of src, expected 0 to 16380"),
        ([0, 8, 6], 0, "offset 2 leads to byte 6 of src, expected a multiple of 4, where an element begins"),
        ([0, 8], 2, "offset 0 leads to byte 2 of src, expected a multiple of 4"),
    ],
)
def test_offsets_outside_the_tensor(offsets, base, message):
    found = diagnostics_of(lambda: gather_floats(offsets, base=base))
    assert found[0].code == "M107" and message in found[0].message


def test_only_lanes_that_are_on_have_offsets():
    kernel = kernel_of("float32", "gather(dst, src, offset, 0, [5, 0], 1, 8)", "n: int")
    dst, src = np.zeros(16384, np.float32), np.arange(4096, dtype=np.float32)
    kernel[1](dst, src, offsets_of([4, 1 << 30, 8]), 4096, 0, 0)
    np.testing.assert_array_equal(dst[:4], [1, 0, 2, 0])


def test_offsets_outside_the_unified_buffer():
    assert diagnostics_of(lambda: gather_floats([1 << 20]))[0].code == "M101"
    assert diagnostics_of(lambda: gather_floats([0], base=1 << 31))[0].code == "M101"


def test_offsets_that_the_call_overwrites():
    """Refused; and what happens all the same stays inside memory: the offsets that count are those before the call."""
    call = "gather(offset.reinterpret_cast(asc.float32), src, offset, base, count)"
    assert diagnostics_of(lambda: gather_floats([0, 4, 8], call=call))[0].code == "R109"
    kernel = kernel_of("float32", call, "base: int, count: int").options(check=False)
    dst, src = np.zeros(16384, np.float32), np.full(4096, 1e30, np.float32)
    kernel[1](dst, src, np.arange(16384, dtype=np.uint32) % 4096 * 4, 4096, 0, 0, 16384)


def test_gather_beyond_its_tensors():
    assert "R110" in [d.code for d in diagnostics_of(lambda: gather_floats([0], count=16385))]
    found = diagnostics_of(lambda: gather_floats([0], call="gather(dst, src, offset[16320:], base, count + 64)"))
    assert found[0].code == "R110" and "offset" in found[0].message


# ---------------------------------------------------------------- gatherb


@pytest.mark.parametrize("dtype", ["uint16", "uint32"])
def test_gatherb(dtype):
    kernel = kernel_of(
        dtype,
        "gatherb(dst[dst_at], src, offset, repeats, asc.GatherRepeatParams(block, stride))",
        "repeats: int, block: int, stride: int",
        before=f"asc.set_vector_mask(0, 1, dtype=asc.{dtype}, mode=asc.MaskMode.NORMAL)",
        after="asc.reset_mask()",
    )
    rng, numbers = np.random.default_rng(4), random.Random(dtype)
    per_block = 32 // NUMPY[dtype].itemsize
    for repeats, block, stride in [
        (0, 1, 8),
        (1, 1, 8),
        (2, 1, 8),
        (255, 1, 8),
        (3, 0, 8),
        (5, 2, 16),
        (5, 7, 255),
        (7, 255, 1),
        (4, 1, 0),
    ]:
        dst, src = arrays_of(dtype, rng)
        offsets = (rng.integers(0, SRC // 32, 16384) * 32).astype(np.uint32)
        at = numbers.choice([0, 1, 3]) * per_block if repeats < 200 else 0
        want = dst.copy()
        for r in range(repeats):
            for b in range(8):
                to = at + (r * stride + b * max(block, 1)) * per_block
                want[to : to + per_block] = src[offsets[8 * r + b] * per_block // 32 :][:per_block]
        kernel[1](dst, src, offsets, SRC // NUMPY[dtype].itemsize, at, repeats, block, stride)
        assert_same(dst, want, f"gatherb {dtype} {(repeats, block, stride)}")


def test_gatherb_offsets():
    kernel = kernel_of("uint32", "gatherb(dst, src, offset, 1, asc.GatherRepeatParams())", "n: int")
    run = lambda offset, loaded=4096: kernel[1](  # noqa: E731
        np.zeros(16384, np.uint32), np.zeros(4096, np.uint32), offsets_of([0, offset]), loaded, 0, 0
    )
    run(16352)
    for offset, code in [(16, "M107"), (16384, "M107"), (1 << 20, "M101")]:
        assert diagnostics_of(lambda: run(offset))[0].code == code  # noqa: B023
    assert diagnostics_of(lambda: run(8192, loaded=2048))[0].code == "M301"


# ---------------------------------------------------------------- brcb


@pytest.mark.parametrize("dtype", DTYPES)
def test_brcb(dtype):
    kernel = kernel_of(
        dtype,
        "brcb(dst[dst_at], src[dst_at], repeats, asc.BrcbRepeatParams(block, stride))",
        "repeats: int, block: int, stride: int",
        before=f"asc.set_vector_mask(0, 1, dtype=asc.{dtype}, mode=asc.MaskMode.NORMAL)",
        after="asc.reset_mask()",
    )
    rng = np.random.default_rng(5)
    per_block = 32 // NUMPY[dtype].itemsize
    for repeats, block, stride in [(0, 1, 8), (1, 1, 8), (2, 1, 8), (255, 1, 8), (5, 2, 16), (5, 7, 255), (7, 255, 1), (4, 1, 0)]:
        dst, src = arrays_of(dtype, rng)
        at = per_block * (repeats % 4) if repeats < 200 else 0
        want = dst.copy()
        for i in range(8 * repeats):
            to = at + (i // 8 * stride + i % 8 * block) * per_block
            want[to : to + per_block] = src[at + i]
        kernel[1](dst, src, offsets_of([]), SRC // NUMPY[dtype].itemsize, at, repeats, block, stride)
        assert_same(dst, want, f"brcb {dtype} {(repeats, block, stride)}")


def test_masks_after_gatherb_and_brcb():
    """All lanes are on afterwards; the mode is what it was."""
    for call in ("gatherb(dst, src, offset, 1, asc.GatherRepeatParams())", "brcb(dst, src, 1, asc.BrcbRepeatParams())"):
        for mode, ones in (("norm", 128), ("count", 32768)):
            kernel = kernel_of(
                "uint16",
                call,
                "n: int",
                before=f"asc.set_vector_mask(0, 1, dtype=asc.uint16, mode=asc.MaskMode.NORMAL)\n    asc.set_mask_{mode}()",
                after="asc.bitwise_not(dst, dst, 0, 1, asc.UnaryRepeatParams(), is_set_mask=False)\n    asc.set_mask_norm()",
            ).options(check=False)
            dst = np.zeros(32768, np.uint16)
            if mode == "count":  # 2**32 - 1 elements reach outside the unified buffer
                assert diagnostics_of(lambda: kernel[1](dst, np.zeros(8192, np.uint16), offsets_of([]), 8192, 0, 0))[0].code == "M101"  # noqa: B023
                continue
            kernel[1](dst, np.zeros(8192, np.uint16), offsets_of([]), 8192, 0, 0)
            assert (dst[:ones] == 0xFFFF).all() and not dst[ones:].any()


def test_brcb_refuses_overlap_and_a_block_stride_of_zero():
    brcb = "brcb({}, repeats, asc.BrcbRepeatParams(block, 8))"
    run = lambda call, block=1, repeats=1: kernel_of("int16", call, "repeats: int, block: int")[1](  # noqa: E731
        np.zeros(32768, np.int16), np.zeros(8192, np.int16), offsets_of([]), 8192, 0, repeats, block
    )
    run(brcb.format("dst, src"))
    assert diagnostics_of(lambda: run(brcb.format("src, src")))[0].code == "R109"
    assert diagnostics_of(lambda: run(brcb.format("dst, src"), block=0))[0].code == "R108"
    assert diagnostics_of(lambda: run(brcb.format("dst, src[8144:]"), repeats=7))[0].code == "R110"


@pytest.mark.parametrize("arguments", ["0, 16", "0, 64, 2, 8", "0, [1, 0], 2, 8"])
def test_scatter_is_not_on_these_chips(arguments):
    kernel = kernel_of("float16", f"scatter(dst, src, offset, {arguments})", "n: int")
    found = diagnostics_of(lambda: kernel[1](np.zeros(32768, np.float16), np.zeros(8192, np.float16), offsets_of([]), 8192, 0, 0))
    assert found[0].code == "T402" and "scatter" in found[0].message and "gather" in found[0].help


@pytest.mark.parametrize(
    "call, code",
    [
        ("gather(dst, src, src, 0, 16)", "R101"),
        ("gather(dst, src.reinterpret_cast(asc.int16), offset, 0, 16)", "R102"),
        ("gatherb(dst, src, offset, 1, asc.GatherRepeatParams())", "R101"),
        ("gather(dst, src, offset, 0, 16, 1, 65536)", "R105"),
        ("gather(dst, src, offset, 0, 16, 256, 8)", "R105"),
    ],
)
def test_refused_while_compiling(call, code):
    kernel = kernel_of("float16", call, "n: int")
    assert (
        diagnostics_of(lambda: kernel.compile(np.zeros(8, np.float16), np.zeros(8, np.float16), np.zeros(8, np.uint32), 1, 1, 1))[0].code
        == code
    )
