# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# data_copy with lists of SliceInfo: a part of one tensor becomes a part of another. Every byte of the destination, written from the
# specification (06-data-movement sections 7 and 13).
import itertools

import numpy as np
import pytest
from support.dtypes import NUMPY, assert_same, random_array
from support.kernel_file import load
from support.refusals import diagnostics_of, text_of

SIZE = 8192  # elements of a tensor; of 32 bits, two of them take 64 KiB

# The copy under test is between the loads of both tensors and the store of the one in the unified buffer.
KERNEL = """import asc


@asc.jit
def kernel(gm_address: asc.GlobalAddress, ub_address: asc.GlobalAddress, PARAMETERS):
    gm, ub_gm = asc.GlobalTensor(), asc.GlobalTensor()
    gm.set_global_buffer(gm_address, LENGTH)
    ub_gm.set_global_buffer(ub_address, LENGTH)
    ub = asc.LocalTensor(asc.DTYPE, asc.TPosition.VECCALC, 0, LENGTH)
    asc.data_copy(ub, ub_gm, LENGTH)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(COPY, DIMENSIONS)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(ub_gm, ub, LENGTH)
"""


def kernel_of(to_ub: bool, dtype: str, dimensions: int, items: int | None = None):
    def slices(side: str) -> str:
        names = [[f"{side}{d}_{part}" for part in range(5)] for d in range(items or dimensions)]
        parameters.extend(itertools.chain(*names))
        return "[" + ", ".join(f"asc.SliceInfo({', '.join(name)})" for name in names) + "]"

    parameters = []
    copy = f"{'ub, gm' if to_ub else 'gm, ub'}, {slices('d')}, {slices('s')}"
    text = KERNEL.replace("COPY", copy).replace("PARAMETERS", ": int, ".join(parameters) + ": int")
    return load(text.replace("DTYPE", dtype).replace("LENGTH", str(SIZE)).replace("DIMENSIONS", str(dimensions))).kernel


def slice_copy(dst, src, dst_slices, src_slices) -> None:
    """Slices are (start, end, gap, blocks, extent), the innermost dimension first."""
    segment = dst_slices[0][3] * 32 // dst.itemsize

    def places(slices):
        extents = [extent for *_, extent in slices]
        pitches = [int(np.prod(extents[:d])) for d in range(len(slices))]
        outer = [range(start, end + 1, 1 + gap) for start, end, gap, _, _ in slices[1:]]
        rows = [index[::-1] for index in itertools.product(*outer[::-1])]  # the last index varies slowest
        start, end, gap, _, _ = slices[0]
        number = (end - start + 1 + gap) // (segment + gap)
        for row in rows:
            first = start + sum(i * pitch for i, pitch in zip(row, pitches[1:], strict=True))
            yield from (first + k * (segment + gap) for k in range(number))

    for to, fr in zip(places(dst_slices), places(src_slices), strict=True):
        dst[to : to + segment] = src[fr : fr + segment]


def cases(width: int):
    """Slices of a tensor in the unified buffer and of one in global memory; `width` elements have 32 bytes."""
    w = width
    yield [(0, 6 * w - 1, 0, 3, 6 * w), (0, 1, 0, 1, 2)], [(2 * w, 8 * w, 1, 3, 11 * w - 1), (0, 2, 1, 1, 3)]
    yield [(0, w - 1, 0, 1, w)], [(3, w + 2, 0, 1, 5 * w)]
    yield [(w, 6 * w - 1, w, 1, 8 * w)], [(1, 3 * w + 4, 2, 1, 4 * w)]
    yield [(0, 2 * w - 1, 0, 1, 2 * w), (1, 4, 0, 1, 6)], [(0, 2 * w - 1, 0, 1, 2 * w), (2, 8, 1, 1, 10)]
    yield (
        [(0, 2 * w - 1, 0, 2, 4 * w), (0, 1, 0, 1, 2), (0, 2, 0, 1, 3)],
        [(5, 2 * w + 4, 0, 2, 2 * w + 7), (1, 3, 1, 1, 5), (0, 4, 1, 1, 6)],
    )
    yield (
        [(0, w - 1, 0, 1, w), (0, 1, 0, 1, 2), (0, 2, 1, 1, 3), (1, 2, 0, 1, 4)],
        [(0, w - 1, 0, 1, w + 1), (0, 2, 1, 1, 3), (0, 1, 0, 1, 2), (0, 1, 0, 1, 2)],
    )
    # as many rows in another arrangement
    yield [(0, w - 1, 0, 1, w), (0, 5, 0, 1, 6)], [(0, w - 1, 0, 1, 2 * w), (0, 5, 0, 1, 7)]
    yield (
        [(0, w - 1, 0, 1, w), (0, 5, 0, 1, 6), (0, 1, 1, 1, 1)],
        [(0, w - 1, 0, 1, 2 * w), (0, 1, 0, 1, 2), (0, 2, 0, 1, 3)],
    )
    for ones in range(4, 9):  # all the dimensions there can be
        yield [(0, w - 1, 0, 1, w)] + [(0, 1, 1, 1, 1)] * (ones - 1), [(2, w + 1, 0, 1, w + 3)] + [(0, 1, 1, 1, 1)] * (ones - 1)


@pytest.mark.parametrize("to_ub", [True, False], ids=["load", "store"])
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32"])
def test_slices(dtype, to_ub):
    rng = np.random.default_rng(5)
    for in_ub, in_gm in cases(32 // NUMPY[dtype].itemsize):
        gm, ub = random_array(rng, dtype, SIZE), random_array(rng, dtype, SIZE)
        want_gm, want_ub = gm.copy(), ub.copy()
        ends = (want_ub, want_gm) if to_ub else (want_gm, want_ub)
        slices = (in_ub, in_gm) if to_ub else (in_gm, in_ub)
        slice_copy(*ends, *slices)
        kernel_of(to_ub, dtype, len(in_ub))[1](gm, ub, *itertools.chain(*slices[0]), *itertools.chain(*slices[1]))
        assert_same(ub, want_ub, f"in UB {slices}")
        assert_same(gm, want_gm, f"in GM {slices}")


def test_of_more_slices_those_of_dim_value_count():
    gm, ub = np.arange(SIZE, dtype=np.float32), np.zeros(SIZE, np.float32)
    row, other = (8, 15, 0, 1, 16), (7, 3, 9, 9, 0)
    kernel_of(True, "float32", 1, items=2)[1](gm, ub, *(0, 7, 0, 1, 8), *other, *row, *other)
    assert (ub[:8] == gm[8:16]).all() and not ub[8:].any()


SHAPES = """import asc


@asc.jit
def kernel(gm_address: asc.GlobalAddress, out: asc.GlobalAddress, rows: int):
    gm, out_gm = asc.GlobalTensor(), asc.GlobalTensor()
    gm.set_global_buffer(gm_address, 3 * 87)
    out_gm.set_global_buffer(out, 96)
    ub = asc.LocalTensorAuto(asc.float32, 96)
    gm.set_shape_info(asc.ShapeInfo(asc.array(asc.uint32, [87, rows])))
    ub.set_shape_info(asc.ShapeInfo(asc.array(asc.uint32, [48, 2])))
    to = [asc.SliceInfo(0, 47, 0, 3), asc.SliceInfo(0, 1, 0, 1)]
    asc.data_copy(ub, gm, to, [asc.SliceInfo(16, 70, 7, 3), asc.SliceInfo(0, 2, 1, 1)], 2)
    asc.data_copy(out_gm, ub, 96)
"""


def test_dimensions_of_the_shape_info():
    gm, out = np.arange(3 * 87, dtype=np.float32), np.zeros(96, np.float32)
    load(SHAPES).kernel[1](gm, out, 3)
    rows = gm.reshape(3, 87)[[0, 2]]
    assert (out.reshape(2, 48) == np.concatenate([rows[:, 16:40], rows[:, 47:71]], axis=1)).all()


def test_slices_without_any_dimensions_are_told():
    text = SHAPES.replace("    ub.set_shape_info(asc.ShapeInfo(asc.array(asc.uint32, [48, 2])))\n", "")
    found = diagnostics_of(lambda: load(text).kernel[1](np.zeros(3 * 87, np.float32), np.zeros(96, np.float32), 3))
    assert found[0].code == "R166" and "slice_list1[0].shape_value is 0" in found[0].message and "set_shape_info" in text_of(found[0])


def test_defaults():
    """The first 1024 bytes of a row: 32 elements of 32 bytes would be more than that."""
    text = KERNEL.replace("PARAMETERS", "n: int").replace("DTYPE", "int32").replace("LENGTH", "8192")
    copy = "ub, gm, [asc.SliceInfo(burst_len=4, shape_value=64)], [asc.SliceInfo(burst_len=4, shape_value=n)]"
    gm, ub = np.arange(SIZE, dtype=np.int32), np.zeros(SIZE, np.int32)
    load(text.replace("COPY", copy).replace("DIMENSIONS", "1")).kernel[1](gm, ub, 100)
    assert (ub[:32] == gm[:32]).all() and not ub[32:].any()


ROW = (0, 7, 0, 1, 8)


@pytest.mark.parametrize(
    ("dtype", "in_ub", "in_gm", "what"),
    [
        ("float32", [(0, 7, 0, 1, 8)], [(0, 7, 0, 1, 6)], "slice_list2[0].end_index is 7"),
        ("float32", [(0, 7, 0, 1, 8)], [(7, 7, 0, 1, 8)], "slice_list2[0].end_index is 7"),
        ("float32", [(0, 7, 0, 0, 8)], [ROW], "slice_list1[0].burst_len is 0"),
        ("float32", [(0, 9, 0, 1, 16)], [ROW], "slice_list1[0] has 10 elements"),
        ("float32", [(0, 7, 4, 1, 8)], [ROW], "slice_list1[0].stride is 4"),
        ("float32", [(4, 11, 0, 1, 16)], [ROW], "slice_list1[0].start_index is 4"),
        ("float32", [(0, 7, 0, 1, 12), (0, 1, 0, 1, 2)], [ROW, (0, 1, 0, 1, 2)], "slice_list1[0].shape_value is 12"),
        ("float32", [ROW, (0, 1, 0, 2, 2)], [ROW, (0, 1, 0, 1, 2)], "slice_list1[1].burst_len is 2"),
        ("float32", [(0, 15, 0, 2, 16)], [ROW], "slice_list1[0].burst_len is 2"),
        ("float32", [(0, 15, 0, 1, 16)], [ROW], "slices of dst with 2 segments in 1 rows"),
        ("float32", [ROW, (0, 1, 0, 1, 2)], [ROW, (0, 2, 0, 1, 3)], "slices of dst with 1 segments in 2 rows"),
        ("int64", [(0, 3, 0, 1, 4)], [(0, 3, 0, 1, 4)], "elements of 64 bits"),
    ],
)
def test_what_is_refused(dtype, in_ub, in_gm, what):
    kernel = kernel_of(True, dtype, len(in_ub))
    arrays = [np.zeros(SIZE, NUMPY[dtype]), np.zeros(SIZE, NUMPY[dtype])]
    found = diagnostics_of(lambda: kernel[1](*arrays, *itertools.chain(*in_ub), *itertools.chain(*in_gm)))
    assert found[0].code == "R166" and what in found[0].message


def test_bytes_that_slices_reach_are_checked():
    kernel = kernel_of(True, "float32", 2)
    arrays = [np.zeros(SIZE, np.float32), np.zeros(SIZE, np.float32)]
    far = (0, 1, 0, 1, 4294967295)
    for check in (True, False):
        run = kernel.options(check=check)[1]
        found = diagnostics_of(lambda: run(*arrays, *ROW, *far, *(0, 7, 0, 1, SIZE), *far))  # noqa: B023
        assert ("R110" if check else "M101") in [diagnostic.code for diagnostic in found]


def test_without_checks_nothing_goes_beyond_the_tensors():
    kernel = kernel_of(True, "int8", 3).options(check=False)
    most = 4294967295
    gm, ub = np.zeros(SIZE, np.int8), np.zeros(SIZE, np.int8)
    rng = np.random.default_rng(1)
    for _ in range(50):
        values = [int(rng.choice([0, 1, 2, 31, 32, 1000, 2**31 - 1, most])) for _ in range(30)]
        try:
            kernel[1](gm, ub, *values)
        except Exception as error:
            assert type(error).__module__.startswith("pyasc")


SIGNATURES = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x, 64)
    ub = asc.LocalTensorAuto(asc.float32, 64)
    one = asc.SliceInfo(0, 7, 0, 1, 8)
    asc.data_copy({})
"""


@pytest.mark.parametrize(
    ("call", "code", "what"),
    [
        ("ub, gm, [], [one], 1", "T401", "a list of 1 to 8 instances of SliceInfo"),
        ("ub, gm, [one] * 9, [one] * 9, 1", "T401", "a list of 1 to 8 instances of SliceInfo"),
        ("ub, gm, [one, 1], [one], 1", "T401", "a list of 1 to 8 instances of SliceInfo"),
        ("ub, gm, [one, one], [one], 1", "R166", "lists of 2 and 1 slices"),
        ("ub, gm, [one], [one], 2", "R166", "dim_value is 2"),
        ("ub, gm, [one], [one], 0", "R105", "dim_value is 0"),
        ("ub, gm, [one], [asc.SliceInfo(n, 7, 0, 0, 8)], 1", "R166", "slice_list2[0].burst_len is 0"),
        ("ub, ub[32:], [one], [one], 1", "R166", "two tensors in the unified buffer"),
        ("ub, gm, [one], [asc.SliceInfo(0, 7, 0, -1, 8)], 1", "R105", "slice_list2[0].burst_len is -1"),
    ],
)
def test_arguments(call, code, what):
    found = diagnostics_of(lambda: load(SIGNATURES.format(call)).kernel[1](np.zeros(64, np.float32), 0))
    assert found[0].code == code and what in text_of(found[0])
