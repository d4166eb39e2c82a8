# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# set_deq_scale, cast_deq, and add_deq_relu, which takes its sources and the end of the unified buffer as scratch memory.
import numpy as np
import pytest
from support.kernel_file import load
from support.refusals import diagnostics_of, text_of
from support.vector_api import COMMON_FORMS, VectorApi, check

SCRATCH, MOST = 188416, 2048  # the last 8 KiB of the unified buffer: enough for so many float32


def dequantised(scale: float):
    """The steps of the library, each rounded to float32, then to float16."""

    def formula(a, b):
        f = (a + b).astype(np.float32)
        for factor in (np.float32(2.0**-17), np.float32(np.float16(scale)), np.float32(2.0**17)):
            f = f * factor
        h = f.astype(np.float16)
        return np.where((h > 0) | np.isnan(h), h, np.float16(0))

    return formula


def add_deq_relu(scale: str) -> VectorApi:
    return VectorApi(
        "add_deq_relu",
        dequantised(float(scale)),
        ("int32_to_float16",),
        ("src0", "src1"),
        params="BinaryRepeatParams",
        before=(f"asc.set_deq_scale({scale})",),
        legal=lambda case: case.get("count", 0) <= MOST,
        reach=56 * 1024,  # of src1, before the scratch memory
    )


@pytest.mark.parametrize("scale", ["0.1", "-2.5", "0.00001", "60000.0", "0.0"])
@pytest.mark.parametrize("form", COMMON_FORMS)
def test_results(form, scale):
    check(add_deq_relu(scale), form, "int32_to_float16", amount=20)


FRAME = """import asc


@asc.jit
def kernel(z: asc.GlobalAddress, a: asc.GlobalAddress, b: asc.GlobalAddress, rest: asc.GlobalAddress, n: int):
    z_gm, a_gm, b_gm, rest_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    z_gm.set_global_buffer(z, 2048)
    a_gm.set_global_buffer(a, 2048)
    b_gm.set_global_buffer(b, 2048)
    rest_gm.set_global_buffer(rest, 2048)
    dst = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 4096)
    src0 = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 16384, 4096)
    src1 = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 32768, 4096)
    other = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 188416, 2048)
    asc.data_copy(src0, a_gm, 2048)
    asc.data_copy(src1, b_gm, 2048)
    asc.data_copy(other, b_gm, 2048)
    asc.duplicate(dst, 0.0, 4096)
    asc.set_deq_scale(0.5)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.add_deq_relu(dst, src0, src1, {count})
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(z_gm, dst, 64)
    asc.data_copy(rest_gm, {rest}, 64)
"""


def run(**changes):
    arrays = np.zeros(2048, np.float16), np.arange(2048, dtype=np.int32), np.full(2048, 3, np.int32), np.zeros(2048, np.int32)
    load(FRAME.format(**({"count": "64", "rest": "src0[64]"} | changes))).kernel[1](*arrays, 64)
    return arrays


def test_what_is_beside_the_scratch_memory_is_kept():
    for rest, first in (("src0[64]", 64), ("src1[64]", 3), ("other[64]", 3)):
        z, _, _, kept = run(rest=rest)
        np.testing.assert_array_equal(z[:64], (np.arange(64) + 3) / 2)
        assert kept[0] == first


@pytest.mark.parametrize("rest", ["src0", "src0[56]", "src1", "other", "other[56]"])
def test_garbage_is_not_read(rest):
    """The sources, and 4 bytes for each element from byte 188416 on."""
    found = diagnostics_of(lambda: run(rest=rest))
    assert found[0].code == "M302" and "add_deq_relu" in text_of(found[0])


def test_forms_with_a_mask_take_a_repeat_of_scratch_memory():
    mask_form = "8, 2, asc.BinaryRepeatParams(1, 1, 1, 4, 8, 8)"
    assert run(count=mask_form, rest="other[128]")[3][0] == 3
    assert run(count=mask_form, rest="src0[72]")[3][0] == 72
    for rest in ("other[120]", "src0[64]"):
        assert diagnostics_of(lambda: run(count=mask_form, rest=rest))[0].code == "M302"  # noqa: B023


def test_more_than_the_scratch_memory_holds():
    found = diagnostics_of(lambda: run(count="2049"))
    assert found[0].code == "R118" and "2048" in text_of(found[0])
    assert diagnostics_of(lambda: run(count="n * 33"))[0].code == "R118"


STORED = """import asc


@asc.jit
def kernel(z: asc.GlobalAddress, scale: float, offset: int, sign: bool):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, 16)
    vdeq = asc.LocalTensor(asc.uint64, asc.TPosition.VECCALC, 64, 16)
    scales, offsets, signs = [{scales}], [{offsets}], [{signs}]
    asc.set_deq_scale(vdeq, asc.VdeqInfo(scales, offsets, signs))
    asc.set_flag(asc.HardEvent.S_MTE3, 0)
    asc.wait_flag(asc.HardEvent.S_MTE3, 0)
    asc.data_copy(z_gm, vdeq, 16)
"""


def test_scales_of_lanes_are_stored():
    """A word per lane: the float32 scale, 9 bits of offset from bit 37 on, the sign mode in bit 46."""
    scales, offsets, signs = [k / 3 - 2 for k in range(15)], [k * 30 - 256 for k in range(15)], [k % 3 == 0 for k in range(15)]
    text = STORED.format(
        **{
            "scales": ", ".join(map(str, [*scales, "scale"])),
            "offsets": ", ".join(map(str, [*offsets, "offset"])),
            "signs": ", ".join(map(str, [*signs, "sign"])),
        }
    )
    z = np.zeros(16, np.uint64)
    load(text).kernel[1](z, 0.1, 255, True)
    for word, scale, offset, sign in zip(z, [*scales, 0.1], [*offsets, 255], [*signs, True], strict=True):
        assert int(word) == int(np.float32(scale).view(np.uint32)) | (offset & 0x1FF) << 37 | sign << 46


def test_the_register_keeps_the_last_scale():
    """Scale and offset of the other forms are not what add_deq_relu takes: only the low 16 bits."""
    text = FRAME.replace("asc.set_deq_scale(0.5)", "asc.set_deq_scale(0.5)\n    asc.set_deq_scale(1.0, 5, True)")
    arrays = np.zeros(2048, np.float16), np.arange(2048, dtype=np.int32), np.full(2048, 3, np.int32), np.zeros(2048, np.int32)
    kernel = load(text.format(count="64", rest="src0[64]")).kernel
    found = diagnostics_of(lambda: kernel[1](*arrays, 64))
    assert found[0].code == "R140" and "set_deq_scale(scale)" in text_of(found[0])
    kernel.options(check=False)[1](*arrays, 64)
    assert not arrays[0].any()  # the low half of the float32 1.0 is 0


def test_values_out_of_range():
    text = FRAME.replace("asc.set_deq_scale(0.5)", "asc.set_deq_scale(1.0, 256, True)")
    arrays = np.zeros(2048, np.float16), np.zeros(2048, np.int32), np.zeros(2048, np.int32), np.zeros(2048, np.int32)
    found = diagnostics_of(lambda: load(text.format(count="64", rest="src0[64]")).kernel[1](*arrays, 64))
    assert found[0].code == "R105" and "-256 to 255" in text_of(found[0])


AUTO = """import asc


@asc.jit
def kernel(z: asc.GlobalAddress, a: asc.GlobalAddress, b: asc.GlobalAddress, other: asc.GlobalAddress):
    z_gm, a_gm, b_gm, other_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    z_gm.set_global_buffer(z, 2048)
    a_gm.set_global_buffer(a, 2048)
    b_gm.set_global_buffer(b, 2048)
    other_gm.set_global_buffer(other, {size})
    dst = asc.LocalTensorAuto(asc.float16, 2048)
    src0, src1 = asc.LocalTensorAuto(asc.int32, 2048), asc.LocalTensorAuto(asc.int32, 2048)
    rest = asc.LocalTensorAuto(asc.int8, {size})
    asc.data_copy(rest, other_gm, {size})
    asc.data_copy(src0, a_gm, 2048)
    asc.data_copy(src1, b_gm, 2048)
    asc.set_deq_scale(0.5)
    asc.add_deq_relu(dst, src0, src1, 2048)
    asc.data_copy(z_gm, dst, 2048)
    asc.data_copy(other_gm, rest, {size})
"""


def test_the_compiler_places_nothing_in_the_scratch_memory():
    size = SCRATCH - 2 * 8192 - 4096
    arrays = np.zeros(2048, np.float16), np.arange(2048, dtype=np.int32), np.full(2048, 3, np.int32), np.ones(size + 32, np.int8)
    load(AUTO.format(size=size)).kernel[1](*arrays)
    np.testing.assert_array_equal(arrays[0], ((np.arange(2048) + 3) / 2).astype(np.float16))
    found = diagnostics_of(lambda: load(AUTO.format(size=size + 32)).kernel[1](*arrays))
    assert found[0].code == "T321" and "8192 are scratch memory" in found[0].message


# ---------------------------------------------------------------- cast_deq

LANES = np.arange(16)


def bytes_of(x: np.ndarray, dtype: str, scale: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """y = saturated(round(x * scale) + offset), the scale cut to 10 bits of mantissa; of lane k of a block with scale and offset k."""
    cut = (scale.astype(np.float32).view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
    lane = np.arange(x.size) % 16
    with np.errstate(all="ignore"):
        product = x.astype(np.float32) * cut[lane]
    whole = np.rint(np.clip(np.where(np.isnan(product), 0, product), -1e9, 1e9)).astype(np.int64)
    return np.clip(whole + offset[lane], np.iinfo(dtype).min, np.iinfo(dtype).max).astype(dtype)


CAST_DEQ = """import asc


@asc.jit
def kernel(z: asc.GlobalAddress, x: asc.GlobalAddress, {numbers}, at: int = 0):
    z_gm, x_gm = asc.GlobalTensor(), asc.GlobalTensor()
    z_gm.set_global_buffer(z, 16384)
    x_gm.set_global_buffer(x, 4096)
    dst = asc.LocalTensor(z.dtype, asc.TPosition.VECCALC, 0, 16384)
    src = asc.LocalTensor(asc.int16, asc.TPosition.VECCALC, 32768, 4096)
    vdeq = asc.LocalTensor(asc.uint64, asc.TPosition.VECCALC, 65536, 16)
    asc.data_copy(dst, z_gm, 16384)
    asc.data_copy(src, x_gm, 4096)
    {scale}
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.cast_deq(dst[32 * at], src[16 * at], {call}, is_vec_deq={vector}, half_block={half})
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(z_gm, dst, 16384)
"""


@pytest.mark.parametrize("half", [False, True], ids=["lower", "upper"])
@pytest.mark.parametrize("vector", [False, True], ids=["scalar", "vector"])
@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_cast_deq(dtype, vector, half):
    """All 16-bit integers; every block of src fills half a block of dst, and the other half stays."""
    signed = dtype == "int8"
    if vector:
        scale = np.array(
            [0.0, 1, -1, 0.5, 1 / 3, 1.0009765625, 2.5e-4, 3e38, np.inf, -np.inf, np.nan, 1e-42, 0.1, -0.004, 7, 0.25], np.float32
        )
        offset = LANES * 34 - 256
        scales = ", ".join(f"float('{value}')" if not np.isfinite(value) else repr(float(value)) for value in scale)
        text = f"asc.set_deq_scale(vdeq, asc.VdeqInfo([{scales}], [{', '.join(map(str, offset))}], [{signed}] * 16))"
    else:
        scale, offset = np.full(16, 0.0123, np.float32), np.full(16, -7)
        text = f"asc.set_deq_scale(0.0123, -7, {signed})"
    start = 16 * half
    at = lambda r, k, block, repeat: (r * repeat + k // 16 * block) * 32 + start + k % 16  # noqa: E731
    rng = np.random.default_rng(2)
    everything = rng.permutation(np.arange(-32768, 32768).astype(np.int16))
    names = {"numbers": "count: int", "call": "count"}
    counted = load(CAST_DEQ.format(scale=text, vector=vector, half=half, **names)).kernel
    for x, count in [*((everything[i : i + 4096], 4096) for i in range(0, 65536, 4096)), (everything[:4096], 0), (everything[:4096], 157)]:
        z = rng.integers(0, 100, 16384).astype(dtype)
        want, k = z.copy(), np.arange(count)
        want[at(0, k, 1, 8)] = bytes_of(x[:count], dtype, scale, offset)
        counted[1](z, x, count)
        np.testing.assert_array_equal(z, want)
    names = {
        "numbers": "low, high, repeats: int, a: int, b: int, c: int, d: int",
        "call": "[low, high], repeats, asc.UnaryRepeatParams(a, b, c, d)",
    }
    masked = load(CAST_DEQ.format(scale=text, vector=vector, half=half, **names)).kernel
    for mask, repeats, strides, first in [
        ((1 << 128) - 1, 3, (1, 1, 8, 8), 0),
        (0x8000F00F << 60 | 5, 5, (2, 1, 17, 8), 3),
        (1 << 127, 2, (1, 0, 8, 0), 1),
        ((1 << 128) - 1, 255, (1, 7, 1, 0), 5),
        (0, 2, (1, 1, 8, 8), 0),
    ]:
        x, z = everything[:4096], rng.integers(0, 100, 16384).astype(dtype)
        want, k = z.copy(), np.array([k for k in range(128) if mask >> k & 1], np.int64)
        for r in range(repeats):
            whole = x[(first + r * strides[3] + np.arange(128) // 16 * strides[1]) * 16 + np.arange(128) % 16]
            want[32 * first + at(r, k, strides[0], strides[2])] = bytes_of(whole, dtype, scale, offset)[k]
        masked[1](z, x, np.uint64(mask & (1 << 64) - 1), np.uint64(mask >> 64), repeats, *strides, first)
        np.testing.assert_array_equal(z, want)


@pytest.mark.parametrize("form", COMMON_FORMS)
def test_cast_deq_of_int32(form):
    formula = lambda x: dequantised_only(x, 0.37)  # noqa: E731
    api = VectorApi("cast_deq", formula, ("int32_to_float16",), ("src",), params="UnaryRepeatParams", before=("asc.set_deq_scale(0.37)",))
    check(api, form, "int32_to_float16", amount=15)


def dequantised_only(x, scale):
    f = x.astype(np.float32)
    for factor in (np.float32(2.0**-17), np.float32(np.float16(scale)), np.float32(2.0**17)):
        f = f * factor
    return f.astype(np.float16)


def test_the_scale_has_to_be_that_of_the_conversion():
    for scale, vector, dtype in [
        ("pass", True, "int8"),
        ("asc.set_deq_scale(0.5)", False, "int8"),
        ("asc.set_deq_scale(0.5, 0, True)", True, "int8"),
        ("asc.set_deq_scale(0.5, 0, True)", False, "uint8"),
    ]:
        kernel = load(CAST_DEQ.format(scale=scale, vector=vector, half=True, numbers="count: int", call="count")).kernel
        found = diagnostics_of(lambda: kernel[1](np.zeros(16384, dtype), np.zeros(4096, np.int16), 64))  # noqa: B023
        assert found[0].code == "R140", scale


def test_scales_in_memory_are_ordered_and_alive():
    """cast_deq reads the 128 bytes that set_deq_scale stored: without an order it is a race, and the compiler keeps the memory for it."""
    text = CAST_DEQ.format(
        scale="asc.set_deq_scale(vdeq, asc.VdeqInfo([1.0] * 16, [0] * 16, [True] * 16))",
        vector=True,
        half=False,
        numbers="count: int",
        call="count",
    )
    arrays = np.zeros(16384, np.int8), np.arange(4096, dtype=np.int16)
    unordered = text.replace(
        "    asc.pipe_barrier(asc.PipeID.PIPE_ALL)\n    asc.cast_deq",
        "    asc.set_flag(asc.HardEvent.MTE2_V, 0)\n    asc.wait_flag(asc.HardEvent.MTE2_V, 0)\n    asc.cast_deq",
    )
    found = diagnostics_of(lambda: load(unordered).kernel.options(auto_sync=False)[1](*arrays, 64))
    assert "race" in found[0].message and "cast_deq" in found[0].message
    auto = text.replace("asc.LocalTensor(asc.uint64, asc.TPosition.VECCALC, 65536, 16)", "asc.LocalTensorAuto(asc.uint64, 16)")
    auto = auto.replace("asc.LocalTensor(z.dtype, asc.TPosition.VECCALC, 0, 16384)", "asc.LocalTensorAuto(z.dtype, 16384)")
    auto = auto.replace("asc.LocalTensor(asc.int16, asc.TPosition.VECCALC, 32768, 4096)", "asc.LocalTensorAuto(asc.int16, 4096)")
    compiled = load(auto.replace("    asc.pipe_barrier(asc.PipeID.PIPE_ALL)\n", "")).kernel.options(auto_sync=False)
    compiled[1](*arrays, 64)
    np.testing.assert_array_equal(arrays[0][:128].reshape(4, 32)[:, :16].ravel(), np.arange(64))
    assert any("vdeq" in line for line in compiled.compile(*arrays, 64).inserted_sync)
