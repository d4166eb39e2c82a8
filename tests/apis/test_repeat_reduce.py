# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Instructions that reduce repeats, blocks and pairs: every API x form x element type against the specification in NumPy.
import random
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from support import vector_unit as unit
from support.dtypes import NUMPY, assert_same, bits, random_array
from support.formulas import saturated
from support.kernel_file import load
from support.reductions import first_extreme, tree
from support.refusals import diagnostics_of, text_of

REGION = 64 * 1024
FLOATS = ("float16", "float32")
ORDERS = ("ORDER_VALUE_INDEX", "ORDER_INDEX_VALUE", "ORDER_ONLY_VALUE", "ORDER_ONLY_INDEX")


@dataclass(frozen=True)
class Reduction:
    name: str
    group: str  # repeat, block or pair
    op: str  # sum, max or min
    call: str  # arguments behind dst and src

    @property
    def has_register_form(self):
        return "REGISTER" in self.call

    @property
    def has_list_form(self):
        return self.name != "repeat_reduce_sum"


WHOLE = "MASK, repeats, dst_stride, block_stride, stride{order}REGISTER"
BLOCK = "repeats, MASK, dst_stride, block_stride, stride"
APIS = [
    Reduction("whole_reduce_sum", "repeat", "sum", WHOLE.format(order="")),
    *(Reduction(f"whole_reduce_{op}", "repeat", op, WHOLE.format(order=", ORDER")) for op in ("max", "min")),
    Reduction("repeat_reduce_sum", "repeat", "sum", "repeats, MASK, 7, block_stride, dst_stride, strideREGISTER"),
    *(Reduction(f"block_reduce_{op}", "block", op, BLOCK) for op in ("sum", "max", "min")),
    Reduction("pair_reduce_sum", "pair", "sum", "repeats, MASK, dst_stride, block_stride, strideREGISTER"),
]
FORMS = ("mask", "mask_bits", "register", "counter")
MATRIX = [
    pytest.param(api, form, dtype, id=f"{api.name}-{form}-{dtype}")
    for api, form, dtype in product(APIS, FORMS, FLOATS)
    if (form in ("mask", "mask_bits") or api.has_register_form) and (form != "mask_bits" or api.has_list_form)
]


def kernel_of(api: Reduction, form: str, dtype: str, order: str, first: str = "pass"):
    arguments = api.call.replace("MASK", {"mask": "low", "mask_bits": "[low, high]"}.get(form, "1"))
    arguments = arguments.replace("REGISTER", "" if form.startswith("mask") else ", is_set_mask=False")
    arguments = arguments.replace("ORDER", f"asc.ReduceOrder.{order}")
    before, after = [], []
    if form == "register":
        before, after = [f"asc.set_vector_mask(high, low, dtype=asc.{dtype}, mode=asc.MaskMode.NORMAL)"], ["asc.reset_mask()"]
    if form == "counter":
        before = ["asc.set_mask_count()", f"asc.set_vector_mask(low, dtype=asc.{dtype}, mode=asc.MaskMode.COUNTER)"]
        after = ["asc.set_mask_norm()", "asc.reset_mask()"]
    n = REGION // NUMPY[dtype].itemsize
    body = []
    for at, name in enumerate(("dst", "src")):
        body += [
            f"{name}_gm = asc.GlobalTensor()",
            f"{name}_gm.set_global_buffer({name}_in, {n})",
            f"{name} = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, {at * REGION}, {n})",
            f"asc.data_copy({name}, {name}_gm, {n})",
        ]
    body += ["asc.set_flag(asc.HardEvent.MTE2_V, 0)", "asc.wait_flag(asc.HardEvent.MTE2_V, 0)", first, *before]
    body += [f"asc.{api.name}(dst[at], src[block * {32 // NUMPY[dtype].itemsize}], {arguments})", *after]
    body += ["asc.set_flag(asc.HardEvent.V_MTE3, 0)", "asc.wait_flag(asc.HardEvent.V_MTE3, 0)", f"asc.data_copy(dst_gm, dst, {n})"]
    params = "dst_in: asc.GlobalAddress, src_in: asc.GlobalAddress, at: int, block: int, low, high, repeats: int, dst_stride: int, "
    params += "block_stride: int, stride: int"
    return load(f"import asc\n\n\n@asc.jit\ndef kernel({params}):\n" + "".join(f"    {line}\n" for line in body)).kernel


def results_of_a_repeat(api: Reduction, lanes: int) -> int:
    return {"repeat": 1, "block": 8, "pair": lanes // 2}[api.group]


def result_bytes(api: Reduction, order: str, size: int) -> int:
    if api.group == "repeat" and api.op != "sum":
        return {"ORDER_ONLY_VALUE": size, "ORDER_ONLY_INDEX": 4}.get(order, 2 * size)
    return size


def lanes_on(form: str, low: int, high: int, repeats: int, lanes: int) -> np.ndarray:
    """Which lanes of which repeats take part."""
    if form == "counter":
        rows = -(-low // lanes)
        return (np.arange(rows * lanes) < low).reshape(rows, lanes)
    if form == "mask":
        row = np.arange(lanes) < low
    else:
        row = np.array([(high << 64 | low) >> k & 1 for k in range(lanes)], bool)
    return np.tile(row, (repeats if row.any() else 0, 1))


def expected(api, order, dst: np.ndarray, src: np.ndarray, on: np.ndarray, case: dict, stored=lambda sums: sums) -> np.ndarray:
    """All bytes of dst afterwards."""
    size, lanes = src.itemsize, on.shape[1] if on.size else 0
    out = dst.copy()
    if not on.size:
        return out
    source = unit.Operand(src, case["block"] * (32 // size), case["block_stride"], case["stride"])
    index = np.stack([source.elements(r, np.arange(lanes)) for r in range(len(on))])
    values = src[np.minimum(index, src.size - 1)]
    groups = results_of_a_repeat(api, lanes)
    leaves, each = lanes // groups, result_bytes(api, order, size)
    if api.op == "sum":
        results, there = tree(values, on, leaves, stored)
        words = bits(results).astype(f"u{size}")
    else:
        grouped, grouped_on = values.reshape(-1, leaves), on.reshape(-1, leaves)
        best, where = first_extreme(grouped, grouped_on, api.op == "max")
        there = grouped_on.any(axis=1).reshape(len(on), groups)
        value, place = bits(best).astype(f"u{size}"), where.astype(f"u{size}")
        parts = {"ORDER_VALUE_INDEX": [value, place], "ORDER_INDEX_VALUE": [place, value], "ORDER_ONLY_VALUE": [value]}
        words = np.stack(parts.get(order, [where.astype("<u4")]), axis=1) if api.group == "repeat" else value
        words = words.reshape(len(on), groups, -1)
    raw = out.view(np.uint8)
    data = np.ascontiguousarray(words).view(np.uint8).reshape(len(on), groups, each)
    for r in range(len(on)):
        for g in np.flatnonzero(there[r]):
            start = case["at"] * size + r * case["dst_stride"] * groups * each + g * each
            raw[start : start + each] = data[r, g]
    return out


def cases(api, form, dtype, order, amount) -> list[dict]:
    size, rng = NUMPY[dtype].itemsize, random.Random(f"{api.name} {form} {dtype} {order}")
    lanes = 256 // size
    per_block = lanes // 8
    masks = [0, 1, 2, per_block, per_block + 1, lanes // 2 + 1, lanes - 1, lanes, lanes + 1, 1000]
    counts = [0, 1, per_block, lanes - 1, lanes, lanes + 1, 17 * lanes, 31 * lanes + 5]
    even, ones = 0x5555555555555555, (1 << 64) - 1
    words = [(0, 0), (1, 0), (8, 2), (even, even), (2 * even, 0), (ones, ones), (0, ones)]
    words += [(rng.getrandbits(64), rng.getrandbits(64)) for _ in range(3)]
    masks = [(m, 0) for m in masks] if form == "mask" else [(c, 0) for c in counts] if form == "counter" else words
    values = list(product(masks, [0, 1, 2, 3, 8, 31, 255], [0, 1, 2, 3, 65535], [0, 1, 2, 8, 65535], [0, 1, 8, 9, 16, 65535]))
    rng.shuffle(values)
    each, groups = result_bytes(api, order, size), results_of_a_repeat(api, lanes)
    unit_of_dst = {"repeat": each, "block": 8 * size, "pair": 32}[api.group]
    found = []
    for (low, high), repeats, dst_stride, block_stride, stride in values:
        case = {"low": low, "high": high, "repeats": repeats, "dst_stride": dst_stride, "block_stride": block_stride, "stride": stride}
        case |= {"at": rng.choice([0, 1, 5]) * max(unit_of_dst // size, 1), "block": rng.choice([0, 1, 5])}
        rows = -(-low // lanes) if form == "counter" else repeats
        last = max(rows - 1, 0)
        reach = (case["block"] + last * stride + 7 * block_stride + 1) * 32
        if reach <= REGION and case["at"] * size + (last * dst_stride + 1) * groups * each <= REGION:
            found.append(case)
        if len(found) == amount:
            break
    return found


def check(api, form, dtype, order, amount, first="pass", stored=lambda sums: sums):
    kernel = kernel_of(api, form, dtype, order, first)
    rng = np.random.default_rng(random.Random(f"{api.name} {form} {dtype}").getrandbits(32))
    n = REGION // NUMPY[dtype].itemsize
    sample = cases(api, form, dtype, order, amount)
    assert sample
    for case in sample:
        dst, src = random_array(rng, dtype, n), random_array(rng, dtype, n)
        if rng.integers(2):  # sums that are not all NaN
            src = np.where(np.isfinite(src), src, NUMPY[dtype].type(1))
        if rng.integers(2):  # ties and zeros of both signs
            src = rng.choice(np.array([0, -0.0, 1, -1], src.dtype), n)
        on = lanes_on(form, case["low"], case["high"], case["repeats"], 256 // src.itemsize)
        want = expected(api, order, dst, src, on, case, stored)
        words = [case["low"], case["high"]] if form in ("mask", "counter") else [np.uint64(case["low"]), np.uint64(case["high"])]
        kernel[1](dst, src, case["at"], case["block"], *words, *(case[k] for k in ("repeats", "dst_stride", "block_stride", "stride")))
        assert_same(dst, want, f"{api.name}, {dtype}, {form}, {order}, {case}")


@pytest.mark.parametrize("api, form, dtype", MATRIX)
def test_results(api, form, dtype):
    for order in ORDERS if "ORDER" in api.call else ORDERS[:1]:
        check(api, form, dtype, order, 16 if "ORDER" in api.call else 30)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("api", APIS, ids=lambda api: api.name)
def test_saturation(api, dtype):
    """With bit 48 of the control register off, every addition of float16 saturates; float32 does not, nor does what is only chosen."""
    check(api, "mask", dtype, "ORDER_VALUE_INDEX", 12, "asc.set_ctrl_spr(48, 48, 0)", saturated)


def test_a_tree_is_no_sum_in_sequence():
    """2048 and 127 ones: a float16 that adds one after the other would stay at 2048."""
    src, dst = np.ones(REGION // 2, np.float16), np.zeros(REGION // 2, np.float16)
    src[0] = 2048
    kernel_of(APIS[0], "mask", "float16", "")[1](dst, src, 0, 0, 128, 0, 1, 1, 1, 8)
    assert dst[0] == 2174


def test_in_place():
    """Results over the first repeat, which has been read by then."""
    source = (
        "import asc\n\n\n@asc.jit\ndef kernel(x: asc.GlobalAddress):\n"
        "    x_gm = asc.GlobalTensor()\n    x_gm.set_global_buffer(x, 512)\n"
        "    t = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 512)\n    asc.data_copy(t, x_gm, 512)\n"
        "    asc.set_flag(asc.HardEvent.MTE2_V, 0)\n    asc.wait_flag(asc.HardEvent.MTE2_V, 0)\n"
        "    asc.whole_reduce_sum(t, t, 64, 8, 1, 1, 8)\n"
        "    asc.set_flag(asc.HardEvent.V_MTE3, 0)\n    asc.wait_flag(asc.HardEvent.V_MTE3, 0)\n    asc.data_copy(x_gm, t, 512)\n"
    )
    x = np.arange(512, dtype=np.float32)
    want = x.copy()
    want[:8] = x.reshape(8, 64).sum(axis=1)
    load(source).kernel[1](x)
    np.testing.assert_array_equal(x, want)


@pytest.mark.parametrize("api", APIS, ids=lambda api: api.name)
def test_other_dtypes_are_refused(api):
    for dtype in sorted(set(NUMPY) - set(FLOATS)):
        kernel = kernel_of(api, "mask", dtype, ORDERS[0])
        arrays = [np.zeros(REGION // NUMPY[dtype].itemsize, NUMPY[dtype]) for _ in range(2)]
        found = diagnostics_of(lambda: kernel[1](*arrays, 0, 0, 8, 0, 1, 1, 1, 8))  # noqa: B023
        text = text_of(found[0])
        assert found[0].code == "R101" and api.name in text and "float16 or float32" in text, text


@pytest.mark.parametrize("api", APIS, ids=lambda api: api.name)
def test_reads_only_the_lanes_that_are_on(api):
    """All of src but 16 elements is not loaded; a mask of 16 is clean, one of 17 is not."""
    kernel = load(
        "import asc\n\n\n@asc.jit\ndef kernel(x: asc.GlobalAddress, low: int):\n"
        "    x_gm = asc.GlobalTensor()\n    x_gm.set_global_buffer(x, 16)\n"
        "    src = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)\n"
        "    dst = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 4096, 64)\n"
        "    asc.data_copy(src, x_gm, 16)\n    asc.set_flag(asc.HardEvent.MTE2_V, 0)\n    asc.wait_flag(asc.HardEvent.MTE2_V, 0)\n"
        "    repeats, dst_stride, block_stride, stride = 1, 1, 1, 8\n"
        f"    asc.{api.name}(dst, src, {api.call.replace('MASK', 'low').replace(', ORDER', '').replace('REGISTER', '')})\n"
    ).kernel
    kernel[1](np.ones(16, np.float32), 16)
    found = diagnostics_of(lambda: kernel[1](np.ones(16, np.float32), 17))
    assert found[0].code == "M301" and "UB bytes 64..67" in found[0].message
