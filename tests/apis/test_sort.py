# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sorting against the specification in NumPy: records of 8 bytes, stable and descending, merges with ties and suspension.
import random

import numpy as np
import pytest
from support.dtypes import NUMPY, assert_same, random_array
from support.kernel_file import load
from support.refusals import diagnostics_of, text_of

FLOATS = ("float16", "float32")


def records(scores: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """One uint64 per record."""
    words = scores.view(f"u{scores.itemsize}").astype(np.uint64)
    return words | indices.astype(np.uint64) << np.uint64(32)


def scores_of(recs: np.ndarray, dtype: str) -> np.ndarray:
    size = NUMPY[dtype].itemsize
    return (recs & np.uint64((1 << 8 * size) - 1)).astype(f"u{size}").view(dtype)


def key(score):
    """NaN first, then by value; equal keys keep their order."""
    return (0, 0.0) if np.isnan(score) else (1, -float(score))


def sorted_records(recs: np.ndarray, dtype: str) -> np.ndarray:
    scores = scores_of(recs, dtype)
    return recs[sorted(range(len(recs)), key=lambda i: key(scores[i]))]


def merged(lists: list[np.ndarray], dtype: str, suspend: bool) -> tuple[np.ndarray, list[int]]:
    heads, out = [0] * len(lists), []
    keys = [[key(s) for s in scores_of(part, dtype)] for part in lists]
    while any(h < len(part) for h, part in zip(heads, lists, strict=True)):
        if suspend and any(h == len(part) for h, part in zip(heads, lists, strict=True)):
            break
        best = min((i for i in range(len(lists)) if heads[i] < len(lists[i])), key=lambda i: (keys[i][heads[i]], i))
        out.append(lists[best][heads[best]])
        heads[best] += 1
    return np.array(out, np.uint64), heads + [0] * (4 - len(lists))


def kernel_of(params: str, arrays: dict[str, tuple[str, int, int]], body: list[str], load_all=True):
    """A kernel with a tensor for each array (type, address, elements), loaded before the body; `out` is stored after it."""
    lines = []
    for name, (dtype, address, n) in arrays.items():
        lines += [
            f"{name}_gm = asc.GlobalTensor()",
            f"{name}_gm.set_global_buffer({name}_in, {n})",
            f"{name} = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, {address}, {n})",
        ]
        lines += [f"asc.data_copy({name}, {name}_gm, {n})"] if load_all else []
    lines += ["asc.set_flag(asc.HardEvent.MTE2_V, 0)", "asc.wait_flag(asc.HardEvent.MTE2_V, 0)", *body]
    lines += ["asc.set_flag(asc.HardEvent.V_MTE3, 0)", "asc.wait_flag(asc.HardEvent.V_MTE3, 0)"]
    lines += [f"asc.data_copy({name}_gm, {name}, {n})" for name, (_, _, n) in arrays.items() if name.startswith("out")]
    names = ", ".join(f"{name}_in: asc.GlobalAddress" for name in arrays)
    return load(f"import asc\n\n\n@asc.jit\ndef kernel({names}{params}):\n" + "".join(f"    {line}\n" for line in lines)).kernel


def random_scores(rng, dtype, n, kind):
    if kind == 0:
        return random_array(rng, dtype, n)
    if kind == 1:
        return rng.choice(np.array([0, -0.0, 1, np.inf, -np.inf], dtype), n)
    return (rng.standard_normal(n) * 10).astype(dtype)


@pytest.mark.parametrize("api, full", [("sort32", False), ("sort", False), ("sort", True)])
@pytest.mark.parametrize("dtype", FLOATS)
def test_groups_and_full_sort(dtype, api, full):
    size, most = NUMPY[dtype].itemsize, 255
    n = 32 * most
    places = f"out[at * {32 // size}], src[at * {32 // size}], index[at * 8]"  # `at`: blocks
    call = f"asc.sort32({places}, groups)" if api == "sort32" else f"asc.sort({places}, tmp, groups, {full})"
    arrays = {"out": (dtype, 0, n * 8 // size), "src": (dtype, 65536, n), "index": ("uint32", 98304, n)}
    tmp = f"tmp = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, 131072, {n * 8 // size})"
    kernel = kernel_of(", groups: int, at: int", arrays, [tmp, call])
    rng = np.random.default_rng(3)
    for groups in [0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 63, 64, most]:
        for kind in range(3):
            out, scores = random_array(rng, dtype, n * 8 // size), random_scores(rng, dtype, n, kind)
            index = rng.integers(0, 1 << 32, n, dtype=np.uint32)
            at = 0 if groups == most else kind  # how many blocks the tensors begin later
            want = out.copy().view(np.uint64)
            first = at * (32 // size)
            recs = records(scores[first : first + 32 * groups], index[at * 8 : at * 8 + 32 * groups])
            parts = [recs] if full else np.split(recs, max(groups, 1))
            want[at * 4 : at * 4 + 32 * groups] = np.concatenate([sorted_records(part, dtype) for part in parts])
            kernel[1](out, scores, index, groups, at)
            np.testing.assert_array_equal(out.view(np.uint64), want)


def pairs(recs: np.ndarray) -> list[tuple[float, int]]:
    """(score, index) of float32 records."""
    return [(float(score), int(rec) >> 32) for score, rec in zip(scores_of(recs, "float32"), recs, strict=True)]


def test_documented_order_of_equal_scores():
    arrays = {"out": ("float32", 0, 64), "src": ("float32", 65536, 32), "index": ("uint32", 81920, 32)}
    out, scores = np.zeros(64, np.float32), np.array([3, 1, 3, 2] + [-1] * 28, np.float32)
    kernel_of("", arrays, ["asc.sort32(out, src, index, 1)"])[1](out, scores, np.arange(32, dtype=np.uint32))
    assert pairs(out.view(np.uint64))[:6] == [(3, 0), (3, 2), (2, 3), (1, 1), (-1, 4), (-1, 5)]


@pytest.mark.parametrize(
    "first, second, suspend, result, taken",
    [
        ([(5, 10), (1, 11)], [(5, 20), (4, 21)], False, [(5, 10), (5, 20), (4, 21), (1, 11)], [2, 2, 0, 0]),
        ([(9, 0), (8, 1)], [(7, 2), (6, 3), (5, 4)], True, [(9, 0), (8, 1)], [2, 0, 0, 0]),
    ],
    ids=["tie", "suspended"],
)
def test_documented_merges(first, second, suspend, result, taken):
    kernel = merge_kernel("float32", 2, [line.replace("SUSPEND", str(suspend)) for line in CALLS["params"]], STORE)
    out, src, counts = np.zeros(400, np.uint64), np.zeros(400, np.uint64), np.zeros(4, np.uint32)
    for at, part in ((0, first), (100, second)):
        scores, indices = zip(*part, strict=True)
        src[at : at + len(part)] = records(np.array(scores, np.float32), np.array(indices))
    kernel[1](out.view(np.float32), src.view(np.float32), len(first), len(second), 0, 0, 3, 1, counts)
    assert pairs(out[: len(result)]) == result and not out[len(result) :].any()
    assert counts.tolist() == taken


def merge_kernel(dtype, lists, call, after=()):
    size = NUMPY[dtype].itemsize
    arrays = {"out": (dtype, 0, 400 * 8 // size), "src": (dtype, 65536, 400 * 8 // size)}
    sources = [f"src{i} = src[100 * {i} * {8 // size}]" for i in range(4)]
    made = f"lists = asc.MrgSortSrcList(asc.{dtype}, {', '.join(f'src{i}' for i in range(lists))})"
    params = ", n0: int, n1: int, n2: int, n3: int, valid: int, times: int, counts_in: asc.GlobalAddress"
    counts = ["counts_gm = asc.GlobalTensor()", "counts_gm.set_global_buffer(counts_in, 4)"]
    return kernel_of(params, arrays, [*sources, *counts, made, *call, *after])


STORE = [f"counts_gm.set_value({i}, counts[{i}])" for i in range(4)]
CALLS = {
    "params": ["asc.mrg_sort(out, lists, asc.MrgSort4Info([n0, n1, n2, n3], SUSPEND, valid, times))", "counts = asc.get_mrg_sort_result()"],
    "counts": ["counts = asc.mrg_sort(out, lists, [n0, n1, n2, n3], [0, 0, 0, 0], valid, times, SUSPEND)"],
}


@pytest.mark.parametrize("suspend", [False, True])
@pytest.mark.parametrize("form", CALLS)
@pytest.mark.parametrize("lists", [2, 3, 4])
@pytest.mark.parametrize("dtype", FLOATS)
def test_mrg_sort(dtype, lists, form, suspend):
    kernel = merge_kernel(dtype, lists, [line.replace("SUSPEND", str(suspend)) for line in CALLS[form]], STORE)
    size = NUMPY[dtype].itemsize
    rng, numbers = np.random.default_rng(1), random.Random(dtype)
    for kind in (0, 1, 2, 2):
        lengths = [numbers.choice([0, 1, 2, 17, 64, 100]) for _ in range(lists)]
        taking_part = numbers.randint(2, lists)
        src = np.zeros(400, np.uint64)
        for i, length in enumerate(lengths):
            scores = random_scores(rng, dtype, length, kind)
            src[100 * i : 100 * i + length] = sorted_records(records(scores, rng.integers(0, 99, length)), dtype)
        out, counts = rng.integers(0, 1 << 63, 400, dtype=np.uint64), np.zeros(4, np.uint32)
        want = out.copy()
        parts = [src[100 * i : 100 * i + length] for i, length in enumerate(lengths[:taking_part])]
        result, taken = merged(parts, dtype, suspend)
        want[: len(result)] = result
        kernel[1](out.view(dtype), src.view(dtype), *[*lengths, 0, 0][:4], (1 << taking_part) - 1, 1, counts)
        np.testing.assert_array_equal(out, want, f"{size} {lengths} {taking_part}")
        assert counts.tolist() == taken


def test_several_merges():
    """Two merges of four lists of 25 that lie one behind the other."""
    size = 4
    arrays = {"out": ("float32", 0, 400), "src": ("float32", 65536, 400)}
    sources = [f"src{i} = src[25 * {i} * {8 // size}]" for i in range(4)]
    made = "lists = asc.MrgSortSrcList(asc.float32, src0, src1, src2, src3)"
    call = "asc.mrg_sort(out, lists, asc.MrgSort4Info([25, 25, 25, 25], False, 15, 2))"
    rng = np.random.default_rng(8)
    parts = [sorted_records(records(rng.standard_normal(25).astype(np.float32), np.arange(25)), "float32") for _ in range(8)]
    out, src = np.zeros(200, np.uint64), np.concatenate(parts)
    kernel_of("", arrays, [*sources, made, call])[1](out.view(np.float32), src.view(np.float32))
    want = np.concatenate([merged(parts[:4], "float32", False)[0], merged(parts[4:], "float32", False)[0]])
    np.testing.assert_array_equal(out, want)


def test_a_list_in_a_device_function():
    source = """import asc


@asc.jit
def merge(out, lists, n):
    asc.mrg_sort(out, lists, asc.MrgSort4Info([n, n, 0, 0], valid_bit=3))


@asc.jit
def kernel(out_in: asc.GlobalAddress, src_in: asc.GlobalAddress, n: int):
    out_gm, src_gm = asc.GlobalTensor(), asc.GlobalTensor()
    out_gm.set_global_buffer(out_in, 64)
    src_gm.set_global_buffer(src_in, 64)
    out = asc.LocalTensorAuto(asc.float32, 64)
    src = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(src, src_gm, 64)
    merge(out, asc.MrgSortSrcList(asc.float32, src, src[32]), n)
    asc.data_copy(out_gm, out, 16)
"""
    scores = np.array([9, 7, 5, 3, 8, 6, 4, 2], np.float32)
    src = np.zeros(32, np.uint64)
    src[:4], src[16:20] = records(scores[:4], np.arange(4)), records(scores[4:], np.arange(4, 8))
    out = np.zeros(32, np.uint64)
    load(source).kernel[1](out.view(np.float32), src.view(np.float32), 4)
    assert scores_of(out[:8], "float32").tolist() == [9, 8, 7, 6, 5, 4, 3, 2]


@pytest.mark.parametrize("dtype", FLOATS)
def test_top_of_the_list(dtype):
    """concat, sort, extract: all scores in order, and where they were."""
    size, groups = NUMPY[dtype].itemsize, 5
    n = 32 * groups
    arrays = {"out": (dtype, 0, n), "out_index": ("uint32", 8192, n), "src": (dtype, 16384, n), "index": ("uint32", 24576, n)}
    body = [
        f"records = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, 32768, asc.get_sort_len({n}, asc.{dtype}))",
        f"tmp = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, 65536, {n * 8 // size})",
        f"concatenated = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, 98304, {n})",
        f"asc.adv.concat(concatenated, src, tmp, {groups})",
        f"asc.sort(records, concatenated, index, tmp, {groups}, is_full_sort=True)",
        f"asc.adv.extract(out, out_index, records, {groups})",
    ]
    rng = np.random.default_rng(2)
    scores, out = (rng.standard_normal(n) * 9).astype(dtype), np.zeros(n, dtype)
    where = np.zeros(n, np.uint32)
    kernel_of("", arrays, body)[1](out, where, scores, np.arange(n, dtype=np.uint32))
    np.testing.assert_array_equal(out, np.sort(scores)[::-1])
    np.testing.assert_array_equal(where, np.argsort(-scores.astype(np.float64), kind="stable"))


@pytest.mark.parametrize("dtype", FLOATS)
def test_extract(dtype):
    """Any bits in any order: nothing is sorted or rounded."""
    size, most = NUMPY[dtype].itemsize, 255
    n = 32 * most
    arrays = {"out": (dtype, 0, n), "out_index": ("uint32", 32768, n), "src": (dtype, 65536, n * 8 // size)}
    call = f"asc.adv.extract(out[at * {32 // size}], out_index[at * 8], src[at * {32 // size}], groups)"
    kernel = kernel_of(", groups: int, at: int", arrays, [call])
    rng = np.random.default_rng(4)
    for groups in (0, 1, 2, 5, 64, most):
        at = groups % 4 if groups < most else 0  # how many blocks the tensors begin later
        scores, indices = random_array(rng, dtype, n), rng.integers(0, 1 << 32, n, dtype=np.uint32)
        out, where = random_array(rng, dtype, n), random_array(rng, "uint32", n)
        want, want_index, count = out.copy(), where.copy(), 32 * groups
        part = slice(4 * at, 4 * at + count)  # of the records
        want[at * 32 // size :][:count], want_index[at * 8 :][:count] = scores[part], indices[part]
        kernel[1](out, where, records(scores, indices).view(dtype), groups, at)
        assert_same(out, want, f"{groups} {at}")
        assert_same(where, want_index, f"{groups} {at}")


def test_lengths():
    source = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 6)
    x_gm.set_value(0, asc.get_sort_len(n))
    x_gm.set_value(1, asc.get_sort_len(n, asc.float16))
    x_gm.set_value(2, asc.get_sort_offset(n, dtype=asc.float32))
    x_gm.set_value(3, asc.get_sort_offset(7, asc.float16))
"""
    x = np.zeros(6, np.uint32)
    load(source).kernel[1](x, 33)
    assert x[:4].tolist() == [66, 132, 66, 28]


LACKING = {
    "mrg_sort4": "asc.mrg_sort4(out, asc.MrgSortSrcList(asc.float32, src, src), asc.MrgSort4Info([1, 1, 0, 0]))",
    "rp_sort16": "asc.rp_sort16(out, src, 1)",
    "proposal_concat": "asc.proposal_concat(out, src, 1, 4)",
    "proposal_extract": "asc.proposal_extract(out, src, 1, 4)",
}


@pytest.mark.parametrize("name", LACKING)
def test_what_these_chips_lack(name):
    arrays = {"out": ("float32", 0, 64), "src": ("float32", 4096, 64)}
    kernel = kernel_of("", arrays, [LACKING[name]])
    found = diagnostics_of(lambda: kernel[1](np.zeros(64, np.float32), np.zeros(64, np.float32)))
    assert found[0].code == "T402" and name in found[0].message and "sort32" in found[0].help


@pytest.mark.parametrize(
    "call, code",
    [
        ("asc.sort32(out, src, src, 1)", "R101"),
        ("asc.mrg_sort(out, asc.MrgSortSrcList(asc.float16, src, src[32]), asc.MrgSort4Info([4, 4, 0, 0], False, 3, 1))", "R102"),
        ("asc.mrg_sort(out, asc.MrgSortSrcList(asc.float32, src, src[32]), asc.MrgSort4Info([4, 4, 0, 0], False, 15, 1))", "R153"),
        ("asc.mrg_sort(out, asc.MrgSortSrcList(asc.float32, src, src[32]), asc.MrgSort4Info([4, 4, 0, 0], False, 3, 2))", "R153"),
        ("asc.mrg_sort(out, asc.MrgSortSrcList(asc.float32, src, src[1]), asc.MrgSort4Info([4, 4, 0, 0], False, 3, 1))", "R153"),
        ("asc.mrg_sort(src, asc.MrgSortSrcList(asc.float32, src, src[32]), asc.MrgSort4Info([4, 4, 0, 0], False, 3, 1))", "R109"),
        ("asc.mrg_sort(out, asc.MrgSortSrcList(asc.float32, src, src[32]), asc.MrgSort4Info([4, 4096, 0, 0], False, 3, 1))", "R105"),
        ("asc.mrg_sort(out, src, asc.MrgSort4Info([4, 4, 0, 0], False, 3, 1))", "T401"),
    ],
)
def test_refusals(call, code):
    arrays = {"out": ("float32", 0, 64), "src": ("float32", 4096, 64)}
    found = diagnostics_of(lambda: kernel_of("", arrays, [call])[1](np.zeros(64, np.float32), np.zeros(64, np.float32)))
    assert found[0].code == code, text_of(found[0])


def test_what_a_suspended_merge_writes():
    """Only the records that were merged are there afterwards."""
    arrays = {"out": ("float32", 0, 16), "src": ("float32", 4096, 64)}
    call = ["two = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 8192, 64)"]
    call += ["asc.mrg_sort(two, asc.MrgSortSrcList(asc.float32, src, src[32]), asc.MrgSort4Info([2, 3, 0, 0], True, 3, 1))"]
    src = np.zeros(32, np.uint64)
    src[:2], src[16:19] = records(np.array([9, 8], np.float32), np.arange(2)), records(np.array([7, 6, 5], np.float32), np.arange(3))
    for read, clean in ((4, True), (5, False)):
        kernel = kernel_of("", arrays, [*call, "asc.pipe_barrier(asc.PipeID.PIPE_V)", f"asc.adds(out, two, 0.0, {read})"])
        run = lambda: kernel[1](np.zeros(16, np.float32), src.view(np.float32))  # noqa: B023, E731
        if clean:
            run()
        else:
            assert diagnostics_of(run)[0].code == "M301"
