# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cast: every pair of types x rounding mode x form against the specification's formula; borders and halves of steps.
import itertools

import numpy as np
import pytest
from support.dtypes import FLOATS, NUMPY, assert_same, random_array, special_values
from support.kernel_file import load
from support.refusals import diagnostics_of, text_of
from support.rounding import FIVE, MODES, converted
from support.vector_api import COMMON_FORMS, FORMS, VectorApi, check, kernel_text

NONE, SIX = MODES[:1], MODES[:6]
PAIRS = {
    "int8_to_float16": NONE,
    "uint8_to_float16": NONE,
    "int16_to_float16": SIX,
    "int16_to_float32": NONE,
    "float16_to_int8": SIX,
    "float16_to_uint8": SIX,
    "float16_to_int16": FIVE,
    "float16_to_int32": FIVE,
    "float16_to_float32": NONE,
    "bfloat16_to_int32": FIVE,
    "bfloat16_to_float32": NONE,
    "int32_to_int16": NONE,
    "int32_to_float16": MODES,
    "int32_to_float32": SIX,
    "int32_to_int64": NONE,
    "float32_to_float16": MODES,
    "float32_to_bfloat16": FIVE,
    "float32_to_int16": FIVE,
    "float32_to_int32": FIVE,
    "float32_to_int64": FIVE,
    "float32_to_float32": FIVE,
    "int64_to_int32": NONE,
    "int64_to_float32": FIVE,
}
SCALE = 0.37


def dequantised(x):
    """int32 to float16: scaled in three steps in float32, whatever the mode."""
    f = x.astype(np.float32)
    for factor in (np.float32(2.0**-17), np.float32(np.float16(SCALE)), np.float32(2.0**17)):
        f = f * factor
    return f.astype(np.float16)


def cast(pair: str, mode: str) -> VectorApi:
    src, dst = pair.split("_to_")
    scaled = pair == "int32_to_float16"
    return VectorApi(
        "cast",
        dequantised if scaled else lambda x: converted(x, dst, mode),
        (pair if src != dst else src,),
        ("src",),
        params="UnaryRepeatParams",
        argument=f"asc.RoundMode.{mode}",
        before=(f"asc.set_deq_scale({SCALE})",) * scaled,
    )


ALL = [pytest.param(pair, mode, id=f"{pair}-{mode}") for pair, modes in PAIRS.items() for mode in modes]


@pytest.mark.parametrize("pair, mode", ALL)
def test_results(pair, mode):
    api = cast(pair, mode)
    check(api, "count", api.dtypes[0], amount=5)


@pytest.mark.parametrize("form", [form for form in COMMON_FORMS if form != "count"])
@pytest.mark.parametrize("pair", PAIRS)
def test_forms(pair, form):
    """The lanes do not depend on the mode: one of each pair's modes in every form."""
    modes = PAIRS[pair]
    api = cast(pair, modes[len(form) % len(modes)])
    check(api, form, api.dtypes[0], amount=12)


TILES = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    z_gm.set_global_buffer(z, n)
    {before}
    for i in range(0, n, 4096):
        src, dst = asc.LocalTensorAuto(x.dtype, 4096), asc.LocalTensorAuto(z.dtype, 4096)
        asc.data_copy(src, x_gm[i], 4096)
        asc.cast(dst, src, asc.RoundMode.{mode}, 4096)
        asc.data_copy(z_gm[i], dst, 4096)
"""


def run(x: np.ndarray, dtype: str, mode: str, before: str = "pass") -> np.ndarray:
    padded = np.resize(x, -(-x.size // 4096) * 4096)
    z = np.zeros(padded.size, NUMPY[dtype])
    load(TILES.format(mode=mode, before=before)).kernel[1](padded, z, padded.size)
    return z[: x.size]


def borders(src: str, dst: str) -> np.ndarray:
    """Every number of a 16-bit source; else the numbers of dst, what lies half-way between them, and their neighbours in src."""
    if src in ("float16", "bfloat16"):
        return np.arange(65536, dtype=np.uint16).view(NUMPY[src])
    if src in ("int8", "uint8", "int16"):
        return np.arange(65536, dtype=np.uint16).astype(NUMPY[src])
    t = NUMPY[src]
    if dst in ("float16", "bfloat16"):
        values = np.arange(0, 65536, 3, dtype=np.uint16).view(NUMPY[dst])
        with np.errstate(invalid="ignore"):
            values = values[np.isfinite(values)].astype(np.float64)
        halves = (values[:-1] + values[1:]) / 2
    else:
        values = np.concatenate(
            [np.ldexp(1.0, np.arange(64)), np.arange(0, 300, 0.25), 2.0**31 - np.arange(1, 9), 32767 + np.arange(0, 2, 0.25)]
        )
        values, halves = np.concatenate([values, -values]), np.ldexp(np.arange(2**24 - 8, 2**24 + 64) * 0.5, 8)
    if src in FLOATS:
        x = np.concatenate([values, halves]).astype(t)
        with np.errstate(all="ignore"):
            return np.concatenate([x, np.nextafter(x, t.type(np.inf)), np.nextafter(x, t.type(-np.inf)), special_values(src)])
    low, high = np.iinfo(t).min, np.iinfo(t).max
    near = np.array([base + step for base in (1 << k for k in range(8 * t.itemsize - 1)) for step in range(-3, 4)], np.int64)
    wide = near[:, None] + (np.arange(-5, 6) << np.maximum(np.frexp(abs(near).astype(np.float64))[1] - 25, 0)[:, None])
    wide = np.concatenate([wide.ravel(), -wide.ravel()])
    return np.concatenate([wide[(wide >= low) & (wide <= high)].astype(t), np.array([low, high, 0], t)])


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair != "int32_to_float16"])
def test_borders(pair):
    src, dst = pair.split("_to_")
    x = borders(src, dst)
    for mode in PAIRS[pair]:
        assert_same(run(x, dst, mode), converted(x, dst, mode), f"{pair} {mode}")


def test_the_oracle_knows_the_documented_samples():
    """Section 1.4 of the specification, where it is not one of vectors.yaml."""
    for mode, want in zip(
        FIVE, ([1, 2, 2, 2, 2, 3], [1, 1, 1, 2, 2, 2], [2, 2, 2, 3, 3, 3], [1, 2, 2, 2, 3, 3], [1, 1, 1, 2, 2, 2]), strict=True
    ):
        x = np.array([1.4, 1.5, 1.6, 2.4, 2.5, 2.6], np.float16)
        np.testing.assert_array_equal(converted(x, "int32", mode), want)
        np.testing.assert_array_equal(run(x, "int32", mode), want)


def test_modes_that_a_pair_does_not_have_are_refused():
    for pair, mode in itertools.product(PAIRS, MODES):
        if mode in PAIRS[pair] or pair.startswith(("float16_to_uint8", "int16")):
            continue
        src, dst = pair.split("_to_")
        found = diagnostics_of(lambda: run(np.zeros(8, NUMPY[src]), dst, mode))  # noqa: B023
        assert found[0].code == "R141" and mode in found[0].message and PAIRS[pair][0] in text_of(found[0])


def test_pairs_that_are_no_conversion_are_refused():
    names = [name for name in NUMPY if name not in ("bool_", "float64")]
    for src, dst in [(a, b) for a in names[::2] for b in names[::3] if f"{a}_to_{b}" not in PAIRS]:
        found = diagnostics_of(lambda: run(np.zeros(8, NUMPY[src]), dst, "CAST_NONE"))  # noqa: B023
        assert found[0].code in ("R101", "R117") and found[0].message.startswith("cast()"), (src, dst)


def test_narrower_over_its_source():
    """Results of half the width may take the place of what they are made of; wider ones may not."""
    text = kernel_text(cast("float32_to_float16", "CAST_RINT"), FORMS["count"], "float32_to_float16")
    text = text.replace("VECCALC, 0, 32768", "VECCALC, 65536, 32768")
    x, z = np.linspace(-9, 9, 4096, dtype=np.float32), np.zeros(4096, np.float16)
    load(text.replace("asc.data_copy(dst, dst_gm, size // 2)", "pass")).kernel[1](z, x, 4096 * 2, 0, 0, 2048)
    np.testing.assert_array_equal(z[:2048], x[:2048].astype(np.float16))
    wider = kernel_text(cast("float16_to_float32", "CAST_NONE"), FORMS["count"], "float16_to_float32")
    wider = wider.replace("VECCALC, 0, 16384", "VECCALC, 65536, 16384").replace("asc.data_copy(dst, dst_gm, size // 4)", "pass")
    found = diagnostics_of(lambda: load(wider).kernel[1](np.zeros(4096, np.float32), np.zeros(4096, np.float16), 8192, 0, 0, 1024))
    assert found[0].code == "R109"


def test_int64_in_place_of_random_bits():
    rng = np.random.default_rng(1)
    x = random_array(rng, "int64", 8192)
    for mode in FIVE:
        assert_same(run(x, "float32", mode), converted(x, "float32", mode), mode)
