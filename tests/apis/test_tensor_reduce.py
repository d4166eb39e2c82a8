# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# reduce_sum, reduce_max and reduce_min against the specification in NumPy: results, work buffers, registers, and what S waits for.
import random

import numpy as np
import pytest
from support.dtypes import NUMPY, assert_same, bits, random_array
from support.kernel_file import load
from support.reductions import first_extreme, tree
from support.refusals import diagnostics_of

ROOM = {"dst": 0, "src": 1024, "tmp": 132 * 1024}
SRC_BYTES, TMP_BYTES, DST = 128 * 1024, 32 * 1024, 16
FLOATS = ("float16", "float32")
FORMS = {"count": "count", "mask": "mask, repeats, stride", "mask_bits": "[low, high], repeats, stride"}
PARAMS = "dst_in: asc.GlobalAddress, src_in: asc.GlobalAddress, tmp_size: int, count: int, mask: int, low, high, repeats: int, stride: int"
PARAMS += ", dst_at: int = 0, src_at: int = 0"  # first elements


def kernel_of(name: str, form: str, dtype: str, extra: str = ""):
    n = SRC_BYTES // NUMPY[dtype].itemsize
    lines = [
        "dst_gm, src_gm = asc.GlobalTensor(), asc.GlobalTensor()",
        f"dst_gm.set_global_buffer(dst_in, {DST})",
        f"src_gm.set_global_buffer(src_in, {n})",
        f"dst = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, {ROOM['dst']}, {DST})",
        f"src = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, {ROOM['src']}, {n})",
        f"tmp = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, {ROOM['tmp']}, tmp_size)",
        f"asc.data_copy(dst, dst_gm, {DST})",
        f"asc.data_copy(src, src_gm, {n})",
        "asc.set_flag(asc.HardEvent.MTE2_V, 0)",
        "asc.wait_flag(asc.HardEvent.MTE2_V, 0)",
        f"asc.{name}(dst[dst_at], src[src_at], tmp, {FORMS[form]}{extra})",
        "asc.set_flag(asc.HardEvent.V_MTE3, 0)",
        "asc.wait_flag(asc.HardEvent.V_MTE3, 0)",
        f"asc.data_copy(dst_gm, dst, {DST})",
    ]
    return load(f"import asc\n\n\n@asc.jit\ndef kernel({PARAMS}):\n" + "".join(f"    {line}\n" for line in lines)).kernel


def rounded_up(n: int, to: int) -> int:
    return -(-n // to) * to


def work_elements(repeats: int, size: int, index: bool) -> int:
    """The size of the work buffer of reduce_max, in elements."""
    block, lanes = 32 // size, 256 // size
    first = rounded_up(2 * repeats, block)
    if not index:
        return first
    second = 2 * -(-2 * repeats // lanes)
    total = first + rounded_up(second, block)
    if second > 2:
        total += rounded_up(2 * -(-second // lanes), block)
    return total


@pytest.mark.parametrize(
    "repeats, size, index, elements",
    [(65, 2, True, 176), (255, 2, True, 544), (511, 2, True, 1056), (4, 2, True, 32), (511, 2, False, 1024), (130, 4, True, 288)],
)
def test_documented_sizes_of_the_work_buffer(repeats, size, index, elements):
    """The documented numbers; the call is refused with one element less, and works on exactly so many."""
    assert work_elements(repeats, size, index) == elements
    dtype = {2: "float16", 4: "float32"}[size]
    kernel = kernel_of("reduce_max", "mask", dtype, f", {index}")
    dst, src = np.zeros(DST, NUMPY[dtype]), np.ones(SRC_BYTES // size, NUMPY[dtype])
    stride = 8 if repeats * 256 <= SRC_BYTES else 1
    kernel[1](dst, src, elements, 0, 256, np.uint64(0), np.uint64(0), repeats, stride)
    found = diagnostics_of(lambda: kernel[1](dst, src, elements - 1, 0, 256, np.uint64(0), np.uint64(0), repeats, stride))
    assert found[0].code == "R110" and f"reaches {elements} elements" in found[0].message


def rows(src: np.ndarray, lanes: int, form: str, case: dict) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values, which of them take part, and where they are in src; a row for each repeat."""
    if form == "count":
        repeats, stride = -(-case["count"] // lanes), lanes
        on = (np.arange(repeats * lanes) < case["count"]).reshape(repeats, lanes)
    else:
        repeats, stride = case["repeats"], case["stride"] * (32 // src.itemsize)
        word = case["high"] << 64 | case["low"]
        row = np.arange(lanes) < case["mask"] if form == "mask" else np.array([word >> k & 1 for k in range(lanes)], bool)
        on = np.tile(row, (repeats if row.any() else 0, 1))
    where = np.arange(len(on))[:, None] * stride + np.arange(lanes)
    return src[np.minimum(where, src.size - 1)], on, where


def expected(name, form, index, dst, src, case):
    want, lanes = dst.copy(), 256 // src.itemsize
    values, on, where = rows(src, lanes, form, case)
    if not len(on):
        return want
    if name == "reduce_sum":
        sums, _ = tree(values, on, lanes)
        sums = sums[:, 0]
        with np.errstate(all="ignore"):
            if form == "count":
                total = sums[0]
                for s in sums[1:]:
                    total = total + s
            else:
                while len(sums) > 1:
                    padded = np.zeros(rounded_up(len(sums), lanes), sums.dtype)
                    padded[: len(sums)] = sums
                    there = (np.arange(padded.size) < len(sums)).reshape(-1, lanes)
                    sums = tree(padded.reshape(-1, lanes), there, lanes)[0][:, 0]
                total = sums[0]
        want[0] = total
        return want
    best, place = first_extreme(values.reshape(1, -1), on.reshape(1, -1), name == "reduce_max")
    want[0] = best[0]
    if index:
        bits(want)[1] = where.reshape(-1)[place[0]]
    return want


def cases(form: str, size: int, name: str, rng: random.Random) -> list[dict]:
    lanes = 256 // size
    even = 0x5555555555555555
    found = []
    if form == "count":
        counts = [1, 2, lanes - 1, lanes, lanes + 1, 2 * lanes, 3 * lanes + 7, 65 * lanes + 1, lanes * lanes, SRC_BYTES // size]
        counts += [0] if name == "reduce_sum" else []
        return [{"count": count} for count in counts]
    for repeats in (0, 1, 2, 3, lanes, lanes + 1, 255, 300):
        stride = rng.choice([0, 1, 8, 9] if repeats < 250 else [0, 1, 8])
        case = {"repeats": repeats, "stride": stride}
        case |= {"mask": rng.choice([0, 1, 17, lanes - 1, lanes, 500])} if form == "mask" else {}
        case |= {"low": rng.choice([0, 5, even, (1 << 64) - 1]), "high": rng.choice([0, even])} if form == "mask_bits" else {}
        if (max(repeats - 1, 0) * stride + 8) * 32 <= SRC_BYTES:
            found.append(case)
    return found


RESULTS = [("reduce_sum", False), *((name, index) for name in ("reduce_max", "reduce_min") for index in (False, True))]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name, index", RESULTS)
def test_results(name, index, form, dtype):
    size = NUMPY[dtype].itemsize
    kernel = kernel_of(name, form, dtype, f", {index}" if name != "reduce_sum" else "")
    numbers, rng = random.Random(f"{name} {form} {dtype}"), np.random.default_rng(5)
    for round_ in range(3):
        for case in cases(form, size, name, numbers):
            case = {"count": 0, "mask": 0, "low": 0, "high": 0, "repeats": 0, "stride": 0} | case
            if index and dtype == "float16" and (case["count"] > 65536 or case["repeats"] * case["stride"] * 16 > 65000):
                continue
            dst, src = random_array(rng, dtype, DST), random_array(rng, dtype, SRC_BYTES // size)
            if round_ == 1:
                src = (rng.standard_normal(src.size) * 4).astype(dtype)
            if round_ == 2:
                src = rng.choice(np.array([0, -0.0, 1], dtype), src.size)
            dst_at, src_at = numbers.choice([0, 2, 14]), numbers.choice([0, 1, 5]) * (32 // size)
            reach = max(case["count"], max(case["repeats"] - 1, 0) * case["stride"] * (32 // size) + 256 // size)
            src_at = src_at if src_at + reach <= src.size else 0
            want = dst.copy()
            want[dst_at:] = expected(name, form, index, dst[dst_at:], src[src_at:], case)
            kernel[1](
                dst, src, TMP_BYTES // size, case["count"], case["mask"], np.uint64(case["low"]), np.uint64(case["high"]),
                case["repeats"], case["stride"], dst_at, src_at,
            )  # fmt: skip
            assert_same(dst, want, f"{name} {form} {dtype} {index} {case} {dst_at} {src_at}")


def test_sum_with_a_count_is_sequential_over_repeats():
    """float16: 2048 in the first repeat, 1 in each of 100 more. One after the other each 1 is lost; as a tree they count."""
    src = np.zeros(SRC_BYTES // 2, np.float16)
    src[0], src[128:12928:128] = 2048, 1
    dst = np.zeros(DST, np.float16)
    arguments = (np.uint64(0), np.uint64(0), 101, 8)
    kernel_of("reduce_sum", "count", "float16")[1](dst, src, 4096, 101 * 128, 0, *arguments)
    assert dst[0] == 2048
    kernel_of("reduce_sum", "mask", "float16")[1](dst, src, 4096, 0, 128, *arguments)
    assert dst[0] > 2048 + 90


def test_documented_sums():
    """float16: 8320 ones in 65 repeats, and the first 288 of them."""
    src, dst = np.ones(SRC_BYTES // 2, np.float16), np.zeros(DST, np.float16)
    arguments = (np.uint64(0), np.uint64(0), 65, 8)
    kernel_of("reduce_sum", "mask", "float16")[1](dst, src, 4096, 0, 128, *arguments)
    assert dst[0] == 8320
    kernel_of("reduce_sum", "count", "float16")[1](dst, src, 4096, 288, 0, *arguments)
    assert dst[0] == 288


@pytest.mark.parametrize(
    "name, value, place, shown",
    [
        ("reduce_max", 0.9985, 114, 6.8e-06),
        ("reduce_max", 0.9985, 232, 1.38e-05),
        ("reduce_min", 0.01034, 353, 2.104e-05),
        ("reduce_min", 0.00393, 72, 4.3e-06),
    ],
)
def test_documented_indices(name, value, place, shown):
    """The index is an integer in a float16 element: the documents print the number that its bits are."""
    src, dst = np.full(SRC_BYTES // 2, 0.5, np.float16), np.zeros(DST, np.float16)
    src[place] = value
    kernel_of(name, "count", "float16", ", True")[1](dst, src, 4096, 512, 0, np.uint64(0), np.uint64(0), 0, 0)
    assert dst[0] == np.float16(value) and dst.view(np.uint16)[1] == place
    assert dst[1] == np.float16(shown)


KERNEL = """import asc


@asc.jit(auto_sync=False)
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 256)
    src = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 256)
    dst = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 4096, 64)
    tmp = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 8192, 64)
    asc.data_copy(src, x_gm, 256)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.duplicate(dst, 0.0, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    {call}
    {after}
"""


def small(call: str, after: str):
    return load(KERNEL.format(call=call, after=after)).kernel


AFTER = {
    "MTE3": "asc.data_copy(x_gm, dst, 64)",
    "S": "x_gm.set_value(0, dst.get_value(0))",
    "MTE2": "asc.pipe_barrier(asc.PipeID.PIPE_MTE2)\n    asc.data_copy(src, x_gm, 256)",
}


@pytest.mark.parametrize("after", AFTER.values(), ids=AFTER)
@pytest.mark.parametrize("mode", [True, "adversarial"])
@pytest.mark.parametrize(
    "call, waits",
    [
        ("asc.reduce_sum(dst, src, tmp, 256)", True),
        ("asc.reduce_sum(dst, src, tmp, 64, 4, 8)", True),
        ("asc.reduce_sum(dst, src, tmp, 64, 1, 8)", False),
        ("asc.reduce_max(dst, src, tmp, 256, True)", True),
        ("asc.reduce_max(dst, src, tmp, 255)", True),
        ("asc.reduce_max(dst, src, tmp, 256)", False),
        ("asc.whole_reduce_sum(dst, src, 64, 4, 1, 1, 8)", False),
    ],
)
def test_what_scalar_unit_waits_for(call, waits, mode, after):
    """Without any flag behind it: a call that ends in the scalar unit is over for all that follows; any other one is a race."""
    kernel = small(call, after).options(check=mode)
    x = np.arange(256, dtype=np.float32)
    if waits:
        kernel[1](x, 0)
    else:
        assert "S301" in {d.code for d in diagnostics_of(lambda: kernel[1](x, 0))}


def test_a_wait_that_never_ends():
    call = "asc.wait_flag(asc.HardEvent.MTE3_V, 0)\n    asc.reduce_sum(dst, src, tmp, 256)"
    found = diagnostics_of(lambda: small(call, "asc.data_copy(x_gm, dst, 64)")[1](np.zeros(256, np.float32), 0))
    assert found[0].code == "S201" and "S waits for the end of reduce_sum" in found[0].message


ADDS = """asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.adds(dst, dst, 1, 1, 1, asc.UnaryRepeatParams(), is_set_mask=False)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(x_gm, dst, 64)"""


@pytest.mark.parametrize(
    "call, lanes",
    [
        ("asc.reduce_sum(dst, src, tmp, 256)", range(64)),
        ("asc.reduce_sum(dst, src, tmp, 5, 1, 8)", range(5)),
        ("asc.reduce_sum(dst, src, tmp, 64, 4, 8)", [2]),  # MASK = (0, 4)
        ("asc.reduce_max(dst, src, tmp, 3, 1, 8)", range(3)),
        ("asc.reduce_max(dst, src, tmp, 64, 4, 8)", [0, 2, 4, 6]),
        ("asc.reduce_max(dst, src, tmp, 200)", [0, 1]),
        ("asc.whole_reduce_max(dst, src, 7, 4, 1, 1, 8)", range(7)),
    ],
)
def test_mask_that_is_left(call, lanes):
    x = np.zeros(256, np.float32)
    small(call, ADDS)[1](x, 0)
    want = np.zeros(64, np.float32)
    want[list(lanes)] = 1
    np.testing.assert_array_equal(x[:64], want)


def test_counter_mode_is_refused_with_a_mask():
    call = "asc.set_mask_count()\n    asc.reduce_sum(dst, src, tmp, 64, 4, 8)\n    asc.set_mask_norm()"
    found = diagnostics_of(lambda: small(call, "asc.data_copy(x_gm, dst, 64)")[1](np.zeros(256, np.float32), 0))
    assert found[0].code == "R151" and "set_mask_norm" in found[0].message


def test_the_work_buffer_holds_garbage():
    after = "asc.pipe_barrier(asc.PipeID.PIPE_V)\n    asc.adds(dst, tmp, 1, 4)"
    found = diagnostics_of(lambda: small("asc.reduce_max(dst, src, tmp, 256)", after)[1](np.zeros(256, np.float32), 0))
    assert found[0].code == "M302"
    small("asc.duplicate(tmp, 1.0, 64)\n    asc.reduce_sum(dst, src, tmp, 256)", after)[1](np.zeros(256, np.float32), 0)
