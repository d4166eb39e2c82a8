# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# compare, compare_scalar and select in all forms, and CMPMASK, against a transcription of the specification's reference code.
import itertools
import random

import numpy as np
import pytest
from support.dtypes import NUMPY, assert_same, random_array, special_values
from support.kernel_file import load
from support.refusals import diagnostics_of, text_of

MODES = {"LT": np.less, "GT": np.greater, "EQ": np.equal, "LE": np.less_equal, "GE": np.greater_equal, "NE": np.not_equal}
ELEMENTS = 8192
OLD = 0xA5  # what bytes that must stay hold


def lanes_of(dtype: str) -> int:
    return 256 // NUMPY[dtype].itemsize


def indices(dtype: str, repeat: int, block_stride: int, repeat_stride: int) -> np.ndarray:
    """The elements of a repeat."""
    per_block = 32 // NUMPY[dtype].itemsize
    k = np.arange(lanes_of(dtype))
    return (repeat * repeat_stride + k // per_block * block_stride) * per_block + k % per_block


def packed(bits) -> np.ndarray:
    return np.packbits(np.asarray(bits, bool), bitorder="little")


FRAME = """import asc


@asc.jit
def kernel({params}):
{loads}
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
{calls}
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy({out}_gm, {out}, {size})
"""


def kernel_of(tensors: dict[str, tuple[str, int]], out: str, calls: list[str], numbers: tuple[str, ...] = (), frame: str = FRAME):
    """A kernel that loads tensors (name: dtype, elements), makes the calls and stores one of them."""
    loads, at = [], 0
    for name, (dtype, size) in tensors.items():
        loads += [
            f"{name}_gm = asc.GlobalTensor()",
            f"{name}_gm.set_global_buffer({name}_address, {size})",
            f"{name} = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, {at}, {size})",
            f"asc.data_copy({name}, {name}_gm, {size})",
        ]
        at += size * NUMPY[dtype].itemsize
    assert at <= 184 * 1024
    text = frame.format(
        params=", ".join([*(f"{name}_address: asc.GlobalAddress" for name in tensors), *numbers]),
        loads="\n".join(f"    {line}" for line in loads),
        calls="\n".join(f"    {line}" for line in calls),
        out=out,
        size=tensors[out][1],
    )
    return load(text).kernel


def pair(rng, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Two arrays with many equal elements."""
    a, b = random_array(rng, dtype, ELEMENTS), random_array(rng, dtype, ELEMENTS)
    return a, np.where(rng.integers(0, 3, ELEMENTS) == 0, a, b).astype(a.dtype)


# ---------------------------------------------------------------- comparisons into memory

COMPARED = [*itertools.product(("float16", "float32"), MODES), ("int32", "EQ")]
STRIDES = [(1, 8), (2, 16), (0, 8), (3, 25), (1, 0), (8, 1), (1, 1)]
STARTS = ("dst_at", "src0_at", "src1_at")  # in blocks


@pytest.mark.parametrize("scalar", [False, True], ids=["compare", "compare_scalar"])
@pytest.mark.parametrize("dtype, mode", COMPARED)
def test_compare(dtype, mode, scalar):
    name, second = ("compare_scalar", "scalar") if scalar else ("compare", "src1")
    lanes = lanes_of(dtype)
    tensors = {"dst": ("uint8" if scalar or mode != "GE" else "int8", 8192), "src0": (dtype, ELEMENTS)}
    tensors |= {} if scalar else {"src1": (dtype, ELEMENTS)}
    numbers = ("scalar",) if scalar else ()
    names = ("a", "b") if scalar else ("a", "b", "c", "d")
    params = "asc.UnaryRepeatParams(7, a, 9, b)" if scalar else "asc.BinaryRepeatParams(7, a, c, 9, b, d)"
    per_block = 32 // NUMPY[dtype].itemsize
    second = second if scalar else f"src1[src1_at * {per_block}]"
    head = f"dst[dst_at * 32], src0[src0_at * {per_block}], {second}, asc.CMPMODE.{mode}"
    numbers, walk = (*numbers, *STARTS), (*numbers, *STARTS, "mask", "repeats", *names)
    counted = kernel_of(tensors, "dst", [f"asc.{name}({head}, count)"], (*numbers, "count"))
    masked = kernel_of(tensors, "dst", [f"asc.{name}({head}, mask, repeats, {params}, is_set_mask=False)"], walk)
    bits = kernel_of(tensors, "dst", [f"asc.{name}({head}, [mask, 0], repeats, {params})"], walk)
    rng, choose = np.random.default_rng(5), random.Random(f"{dtype} {mode} {scalar}")
    for kernel, trial in [(counted, t) for t in (0, 1, 2, 31)] + [(k, t) for k in (masked, bits) for t in (0, 1, 2, 3, 8, 31, 255)]:
        a, b = pair(rng, dtype)
        value = choose.choice([*special_values(dtype), a[3]])
        dst = np.full(8192, OLD, np.uint8).view(NUMPY[tensors["dst"][0]])
        starts = [choose.choice([0, 0, 1, 5]) for _ in STARTS]
        first, other = choose.choice(STRIDES), choose.choice(STRIDES[:3])
        if trial > 8:
            first, other = ((1, 8), (0, 8)) if trial < 255 else ((1, 1), (3, 0))
        if kernel is counted:
            first = other = (1, 8)
        want = dst.view(np.uint8).copy()
        for r in range(trial):
            x = a[indices(dtype, r, *first) + starts[1] * per_block]
            y = value if scalar else b[indices(dtype, r, *other) + starts[2] * per_block]
            with np.errstate(all="ignore"):
                want[starts[0] * 32 + r * lanes // 8 :][: lanes // 8] = packed(MODES[mode](x, y))
        arguments = [dst, a] + ([float(value) if dtype != "int32" else int(value)] if scalar else [b])
        if kernel is counted:
            kernel[1](*arguments, *starts, trial * lanes)
        else:
            kernel[1](*arguments, *starts, 3, trial, *first, *(() if scalar else other))
        assert_same(dst.view(np.uint8), want, f"{name} {dtype} {mode} {trial} {first} {other} {starts}")


def test_mask_and_mode_do_not_matter_and_stay():
    """A comparison into memory neither looks at MASK nor changes it."""
    calls = [
        "asc.set_vector_mask(0, 5, dtype=asc.float32, mode=asc.MaskMode.NORMAL)",
        "asc.compare(bits, src0, src1, asc.CMPMODE.LT, 1, 2, asc.BinaryRepeatParams())",
        "asc.compare_scalar(bits, src0, 0.0, asc.CMPMODE.LT, 64)",
        "asc.adds(dst, src0, 1.0, 1, 1, asc.UnaryRepeatParams(), is_set_mask=False)",
        "asc.reset_mask()",
    ]
    kernel = kernel_of({"dst": ("float32", 64), "src0": ("float32", 128), "src1": ("float32", 128), "bits": ("uint8", 64)}, "dst", calls)
    dst, x = np.full(64, 9, np.float32), np.arange(128, dtype=np.float32)
    kernel[1](dst, x, x, np.zeros(64, np.uint8))
    np.testing.assert_array_equal(dst[:4], [1, 9, 3, 9])
    assert (dst[4:] == 9).all()


# ---------------------------------------------------------------- CMPMASK

REGISTER = ("float16", "float32")


@pytest.mark.parametrize("dtype, mode", [*itertools.product(REGISTER, MODES)])
def test_compare_into_the_register(dtype, mode):
    lanes = lanes_of(dtype)
    tensors = {"dst": ("uint8", 32), "src0": (dtype, ELEMENTS), "src1": (dtype, ELEMENTS)}
    params = "asc.BinaryRepeatParams(1, a, b, 8, 8, 8)"
    numbers = ("low", "high", "a", "b")
    before = ["asc.set_cmp_mask(dst)"]
    calls = {
        "bits": [f"asc.compare(src0, src1, asc.CMPMODE.{mode}, [low, high], {params})"],
        "first": [f"asc.compare(src0, src1, asc.CMPMODE.{mode}, low, {params})"],
        "register": [
            f"asc.set_vector_mask(high, low, dtype=asc.{dtype}, mode=asc.MaskMode.NORMAL)",
            f"asc.compare(src0, src1, asc.CMPMODE.{mode}, 1, {params}, is_set_mask=False)",
        ],
    }
    rng, choose = np.random.default_rng(7), random.Random(mode)
    for form, lines in calls.items():
        kernel = kernel_of(tensors, "dst", [*before, *lines, "asc.get_cmp_mask(dst[16:])", "asc.reset_mask()"], numbers)
        for mask in (0, 1, 5, lanes // 2, lanes, 1 << 63 | 6, 0xF00FF00F12345678, (1 << lanes) - 1):
            low, high = mask & (1 << 64) - 1, mask >> 64
            if form == "first" and mask > lanes:
                continue
            a, b = pair(rng, dtype)
            first, other = choose.choice([0, 1, 5]), choose.choice([0, 1, 5])
            dst = rng.integers(0, 256, 32, dtype=np.uint8)
            old = np.unpackbits(dst[:16], bitorder="little")
            with np.errstate(all="ignore"):
                new = MODES[mode](a[indices(dtype, 0, first, 8)], b[indices(dtype, 0, other, 8)])
            on = np.arange(lanes) < low if form == "first" else np.array([mask >> k & 1 for k in range(lanes)], bool)
            want = old.copy()
            want[:lanes] = np.where(on, new, old[:lanes])
            kernel[1](dst, a, b, *(x if form == "first" else np.uint64(x) for x in (low, high)), first, other)
            assert_same(dst[16:], packed(want), f"{form} {dtype} {mode} {mask:#x}")


def test_the_register_waits_for_its_instruction():
    """A comparison that stands in V's queue has not happened yet; what reads CMPMASK after it sees its bits."""
    calls = [
        "asc.compare(src0, src1, asc.CMPMODE.LT, 64, asc.BinaryRepeatParams())",
        "asc.pipe_barrier(asc.PipeID.PIPE_V)",
        "asc.select(dst, src0, src1, 1, asc.BinaryRepeatParams(), asc.SelMode.VSEL_CMPMASK_SPR)",
    ]
    kernel = kernel_of({"dst": ("float32", 64), "src0": ("float32", 64), "src1": ("float32", 64)}, "dst", calls)
    a, b = np.random.default_rng(0).standard_normal((2, 64), np.float32)
    for seed in range(4):
        dst = np.zeros(64, np.float32)
        kernel.options(check="adversarial", seed=seed)[1](dst, a, b)
        np.testing.assert_array_equal(dst, np.minimum(a, b))


def test_the_register_is_that_of_the_last_comparison():
    """Adversarial: all of it waits in V's queue for the loads, and each select takes the bits of the instruction in front of it. So does
    one after a load of the register, whose bits were overwritten later."""
    lines = [
        "asc.set_cmp_mask(bits)",
        "asc.compare(src0, src1, asc.CMPMODE.LT, 64, asc.BinaryRepeatParams())",
        "asc.select(dst, src0, src1, 1, asc.BinaryRepeatParams(), asc.SelMode.VSEL_CMPMASK_SPR)",
        "asc.compare(src0, src1, asc.CMPMODE.GT, 64, asc.BinaryRepeatParams())",
        "asc.select(dst[64], src0, src1, 1, asc.BinaryRepeatParams(), asc.SelMode.VSEL_CMPMASK_SPR)",
        "asc.set_cmp_mask(bits)",
        "asc.duplicate(bits.reinterpret_cast(asc.int16), 0, 64)",
        "asc.select(dst[128], src0, src1, 1, asc.BinaryRepeatParams(), asc.SelMode.VSEL_CMPMASK_SPR)",
        "asc.compare(src0, src1, asc.CMPMODE.NE, 0, asc.BinaryRepeatParams())",
        "asc.reset_mask()",
        "asc.select(dst[192], src0, src1, 1, asc.BinaryRepeatParams(), asc.SelMode.VSEL_CMPMASK_SPR)",
    ]
    tensors = {"dst": ("float32", 256), "src0": ("float32", 64), "src1": ("float32", 64), "bits": ("uint8", 128)}
    barrier, flag = "    asc.pipe_barrier(asc.PipeID.PIPE_ALL)\n{calls}", "    asc.{do}_flag(asc.HardEvent.MTE2_V, 0)\n"
    frame = FRAME.replace(barrier, flag.replace("{do}", "set") + flag.replace("{do}", "wait") + "{calls}")
    kernel = kernel_of(tensors, "dst", lines, frame=frame)
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((2, 64), np.float32)
    table = rng.integers(0, 256, 128, dtype=np.uint8)
    loaded = np.where(np.unpackbits(table[:8], bitorder="little"), a, b)
    for seed in range(8):
        dst = np.zeros(256, np.float32)
        kernel.options(check="adversarial", seed=seed)[1](dst, a, b, table)
        np.testing.assert_array_equal(dst, np.concatenate([np.minimum(a, b), np.maximum(a, b), loaded, loaded]))


# ---------------------------------------------------------------- select


def selected(dtype, dst, table, first, second, shared, lanes_on, strides):
    """`table`: bits; `second`: an array, or a number; `lanes_on`: those of each repeat."""
    want, lanes = dst.copy(), lanes_of(dtype)
    for r, on in enumerate(lanes_on):
        bits = table[(0 if shared else r * lanes) + on].astype(bool)
        a = first[indices(dtype, r, strides[1], strides[4])[on]]
        b = second if np.isscalar(second) else second[indices(dtype, r, strides[2], strides[5])[on]]
        want[indices(dtype, r, strides[0], strides[3])[on]] = np.where(bits, a, b)
    return want


SELECT_STRIDES = [(1, 1, 1, 8, 8, 8), (1, 2, 1, 8, 16, 8), (2, 1, 0, 16, 8, 8), (1, 1, 1, 9, 0, 1)]
MANY = (1, 1, 3, 1, 1, 0)  # strides of 255 repeats
SELECT_MODES = ["VSEL_CMPMASK_SPR", "VSEL_TENSOR_SCALAR_MODE", "VSEL_TENSOR_TENSOR_MODE"]


@pytest.mark.parametrize("mask_type", ["uint8", "uint64"])
@pytest.mark.parametrize("mode", SELECT_MODES)
@pytest.mark.parametrize("dtype", REGISTER)
def test_select(dtype, mode, mask_type):
    shared, scalar, lanes = mode == SELECT_MODES[0], mode == SELECT_MODES[1], lanes_of(dtype)
    size = 16384 // NUMPY[dtype].itemsize
    mask_size = 4608 // NUMPY[mask_type].itemsize
    tensors = {"dst": (dtype, size), "sel_mask": (mask_type, mask_size), "src0": (dtype, size)} | (
        {} if scalar else {"src1": (dtype, size)}
    )
    per_block, words = 32 // NUMPY[dtype].itemsize, 32 // NUMPY[mask_type].itemsize
    second = "src1" if scalar else f"src1[at1 * {per_block}]"
    head = f"dst[at * {per_block}], sel_mask[bits_at * {words}], src0[at0 * {per_block}], {second}, asc.SelMode.{mode}"
    numbers = (*(("src1",) if scalar else ()), "at", "bits_at", "at0", "at1")
    strides = ("s0", "s1", "s2", "s3", "s4", "s5")
    params = f"asc.BinaryRepeatParams({', '.join(strides)})"
    counted = kernel_of(tensors, "dst", [f"asc.select({head}, count)"], (*numbers, "count"))
    masked = kernel_of(tensors, "dst", [f"asc.select({head}, mask, repeats, {params})"], (*numbers, "mask", "repeats", *strides))
    bitwise = kernel_of(
        tensors,
        "dst",
        [f"asc.select({head}, [low, high], repeats, {params}, is_set_mask=False)"],
        (*numbers, "low", "high", "repeats", *strides),
    )
    rng, choose = np.random.default_rng(11), random.Random(f"{dtype} {mode}")
    cases = [(counted, n) for n in (0, 1, 7, 8, 9, lanes, lanes + 1, 5 * lanes + 13, size)]
    cases += [(masked, n) for n in (0, 1, 5, lanes // 2, lanes - 1, lanes, 1000)]
    cases += [(bitwise, n) for n in (0, 1, 0x5555555555555555, 1 << 63, (1 << 128) - 1, 0x80000000000000010000000000000100)]
    for kernel, n in cases:
        dst, first, second = (random_array(rng, dtype, size) for _ in range(3))
        table = random_array(rng, mask_type, mask_size)
        bits = np.unpackbits(table.view(np.uint8), bitorder="little")
        value = NUMPY[dtype].type(choose.choice(special_values(dtype)))
        repeats = choose.choice([0, 1, 2, 6, 255])
        stride = choose.choice(SELECT_STRIDES) if repeats < 255 else MANY
        starts = [choose.choice([0, 0, 1, 5]) if n != size else 0 for _ in range(4)]
        if kernel is counted:
            repeats, stride, more = -(-n // lanes), SELECT_STRIDES[0], (n,)
            on = [np.arange(min(lanes, n - r * lanes)) for r in range(repeats)]
        elif kernel is masked:
            on, more = [np.arange(min(lanes, n))] * repeats, (n, repeats, *stride)
        else:
            on = [np.array([k for k in range(lanes) if n >> k & 1], np.int64)] * repeats
            more = (np.uint64(n & (1 << 64) - 1), np.uint64(n >> 64), repeats, *stride)
        want, (at, _, at0, at1) = dst.copy(), [start * per_block for start in starts]
        other = value if scalar else second[at1:]
        want[at:] = selected(dtype, dst[at:], bits[starts[1] * 256 :], first[at0:], other, shared, on, stride)
        kernel[1](dst, table, first, *([float(value)] if scalar else [second]), *starts, *more)
        assert_same(dst, want, f"{dtype} {mode} {n} {repeats} {stride} {starts}")


@pytest.mark.parametrize("dtype", REGISTER)
def test_select_by_the_registers(dtype):
    """Forms without a mask take MASK as it is, and CMPMASK: the bits, the number for src1, or the address of the bits."""
    lanes, rng = lanes_of(dtype), np.random.default_rng(3)
    tensors = {"dst": (dtype, 1024), "src0": (dtype, 1024), "src1": (dtype, 1024), "bits": ("uint8", 256), "register": ("uint32", 8)}
    mask = 0x0FF000000000F00F
    frame = [
        f"asc.set_vector_mask(0, {mask}, dtype=asc.{dtype}, mode=asc.MaskMode.NORMAL)",
        "asc.set_cmp_mask(register)",
        "",
        "asc.reset_mask()",
    ]
    calls = {
        "bits": "asc.select(dst, src0, src1, 3, asc.BinaryRepeatParams(), asc.SelMode.VSEL_CMPMASK_SPR)",
        "number": "asc.select(dst, bits, src0, 3, asc.BinaryRepeatParams())",
        "address": "asc.select(dst, src0, src1, 3, asc.BinaryRepeatParams(), asc.SelMode.VSEL_TENSOR_TENSOR_MODE)",
    }
    for what, call in calls.items():
        frame[2] = call
        kernel = kernel_of(tensors, "dst", frame)
        dst, first, second = (random_array(rng, dtype, 1024) for _ in range(3))
        bits, register = rng.integers(0, 256, 256, dtype=np.uint8), rng.integers(0, 2**32, 8, dtype=np.uint32)
        if what == "address":
            register[0] = 3 * 1024 * NUMPY[dtype].itemsize
        table = np.unpackbits(register.view(np.uint8)[:16] if what == "bits" else bits, bitorder="little")
        other = register.view(NUMPY[dtype])[0] if what == "number" else second
        on = np.array([k for k in range(lanes) if mask >> k & 1])
        want = selected(dtype, dst, table, first, other, what == "bits", [on] * 3, SELECT_STRIDES[0])
        kernel[1](dst, first, second, bits, register)
        assert_same(dst, want, what)


@pytest.mark.parametrize("mode, value", [(0, None), (1, 0x3C003C00), (2, 4096)])
def test_select_leaves_the_register(mode, value):
    """CMPMASK holds the bits, the number, or the address of the bits afterwards; MASK is all ones after a count."""
    src1 = "1.0" if mode == 1 else "src0"
    calls = [f"asc.select(dst, bits, src0, {src1}, asc.SelMode.{SELECT_MODES[mode]}, 7)", "asc.get_cmp_mask(register)"]
    tensors = {"dst": ("float16", 1024), "src0": ("float16", 1024), "bits": ("uint8", 128), "register": ("uint32", 8)}
    kernel = kernel_of(tensors, "register", calls)
    register, bits = np.zeros(8, np.uint32), np.arange(1, 129, dtype=np.uint8)
    kernel[1](np.zeros(1024, np.float16), np.zeros(1024, np.float16), bits, register)
    if mode == 0:
        np.testing.assert_array_equal(register[:4].view(np.uint8), [1] + [0] * 15)  # seven lanes use one byte
    else:
        np.testing.assert_array_equal(register[:4], value)


def test_scratch_memory_is_overwritten():
    """M302: the library's 128 bytes for CMPMASK, which belong to another tensor here."""
    calls = ["{mode}", "asc.pipe_barrier(asc.PipeID.PIPE_V)", "asc.adds(dst, other[{first}], 1.0, 8)"]
    frame = FRAME.replace(
        "{loads}", "{loads}\n    other = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 188416, 64)\n    asc.duplicate(other, 2.0, 64)"
    )
    tensors = {"dst": ("float32", 64), "src0": ("float32", 64), "bits": ("uint8", 32)}
    modes = ["src0, asc.SelMode.VSEL_CMPMASK_SPR", "1.0, asc.SelMode.VSEL_TENSOR_SCALAR_MODE", "src0, asc.SelMode.VSEL_TENSOR_TENSOR_MODE"]
    for mode, first in itertools.product(modes, (0, 24, 32)):
        lines = [line.format(mode=f"asc.select(dst, bits, src0, {mode}, 64)", first=first) for line in calls]
        kernel = kernel_of(tensors, "dst", lines, frame=frame)
        arrays = np.zeros(64, np.float32), np.zeros(64, np.float32), np.zeros(32, np.uint8)
        if mode is modes[0] or first == 32:
            kernel[1](*arrays)
            assert (arrays[0][:8] == 3).all()
        else:
            found = diagnostics_of(lambda: kernel[1](*arrays))  # noqa: B023
            assert found[0].code == "M302" and "select" in text_of(found[0])


# ---------------------------------------------------------------- what is read and written

PRECISE = """import asc


@asc.jit
def kernel(z: asc.GlobalAddress):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, 64)
    a = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 128)
    b = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 1024, 128)
    bits = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 2048, 64)
    words = asc.LocalTensor(asc.uint16, asc.TPosition.VECCALC, 2048, 32)
    dst = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 4096, 64)
    asc.duplicate(a, 1.0, {a})
    asc.duplicate(b, 2.0, 128)
    asc.duplicate(dst, 3.0, 64)
    asc.duplicate(words, 1, {words})
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    {call}
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(z_gm, {out}, {size})
"""


@pytest.mark.parametrize(
    "changes, found",
    [
        (
            {"call": "asc.compare(bits, a, b, asc.CMPMODE.LT, 64)", "words": 0, "out": "bits.reinterpret_cast(asc.float32)", "size": 8},
            "bytes 2056..2079",
        ),
        ({"call": "asc.compare(bits, a, b, asc.CMPMODE.LT, 128)", "a": 64}, "bytes 256..511"),
        ({"call": "asc.compare(bits, a, b, asc.CMPMODE.LT, 64)", "a": 64, "words": 0}, None),
        ({"call": "asc.compare(a, b, asc.CMPMODE.LT, 5, asc.BinaryRepeatParams())", "a": 5}, None),
        ({"call": "asc.compare(a, b, asc.CMPMODE.LT, 6, asc.BinaryRepeatParams())", "a": 5}, "bytes 20..23"),
        ({"call": "asc.select(dst, bits, a, b, asc.SelMode.VSEL_TENSOR_TENSOR_MODE, 16)", "words": 1}, None),
        ({"call": "asc.select(dst, bits, a, b, asc.SelMode.VSEL_TENSOR_TENSOR_MODE, 17)", "words": 1}, "bytes 2050..2050"),
        (
            {
                "call": "asc.select(dst, bits, a, b, asc.SelMode.VSEL_TENSOR_TENSOR_MODE, [1 << 9, 0], 1, asc.BinaryRepeatParams())",
                "words": 1,
            },
            None,
        ),
        ({"call": "asc.select(dst, bits, a, b, asc.SelMode.VSEL_CMPMASK_SPR, 64)", "words": 4}, None),
        ({"call": "asc.set_cmp_mask(bits)", "words": 7}, "bytes 2062..2063"),
        ({"call": "asc.set_cmp_mask(bits)", "words": 8}, None),
    ],
)
def test_bytes_that_are_read_and_written(changes, found):
    kernel = load(PRECISE.format(**({"a": 128, "words": 32, "out": "dst", "size": 64} | changes))).kernel
    z = np.zeros(64, np.float32)
    if found:
        diagnostics = diagnostics_of(lambda: kernel[1](z))
        assert diagnostics[0].code == "M301" and found in diagnostics[0].message
    else:
        kernel[1](z)


def test_types_that_do_not_go_together():
    for call, code in [
        ("asc.compare(bits, a, words, asc.CMPMODE.LT, 64)", "R101"),
        ("asc.compare(words, a, b, asc.CMPMODE.LT, 64)", "R101"),
        ("asc.compare_scalar(words, a, 1.0, asc.CMPMODE.LT, 64)", "R101"),
        ("asc.compare(bits, a, b.reinterpret_cast(asc.float16), asc.CMPMODE.LT, 64)", "R102"),
        ("asc.compare(bits, a.reinterpret_cast(asc.int32), b.reinterpret_cast(asc.int32), asc.CMPMODE.LT, 64)", "R142"),
        ("asc.select(dst, a, a, b, asc.SelMode.VSEL_TENSOR_TENSOR_MODE, 64)", "R101"),
        ("asc.select(dst, bits, a, b, asc.SelMode.VSEL_TENSOR_SCALAR_MODE, 64)", "R145"),
        ("asc.select(dst, bits, a.reinterpret_cast(asc.float16), b, asc.SelMode.VSEL_TENSOR_TENSOR_MODE, 64)", "R102"),
    ]:
        text = PRECISE.format(a=128, words=32, out="dst", size=64, call=call)
        found = diagnostics_of(lambda: load(text).kernel[1](np.zeros(64, np.float32)))  # noqa: B023
        assert found[0].code == code, call
