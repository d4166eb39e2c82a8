# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# transpose and trans_data_to_5hd against the definitions of the specification, written with NumPy's own transposition.
import random

import numpy as np
import pytest
from support.dtypes import NUMPY, assert_same, random_array
from support.kernel_file import load
from support.refusals import diagnostics_of

SIXTEEN = ("int16", "uint16", "float16")
DTYPES = (*SIXTEEN, "int8", "uint8", "int32", "uint32", "float32")

TRANSPOSE = """import asc


@asc.jit
def kernel(dst_in: asc.GlobalAddress, src_in: asc.GlobalAddress, n: int, c: int, h: int, w: int):
    dst_gm, src_gm = asc.GlobalTensor(), asc.GlobalTensor()
    dst_gm.set_global_buffer(dst_in, {size})
    src_gm.set_global_buffer(src_in, {size})
    dst = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, 0, {size})
    src = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, 32768, {size})
    tmp = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 65536, {tmp})
    asc.data_copy(dst, dst_gm, {size})
    asc.data_copy(src, src_gm, {size})
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.transpose({args})
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(dst_gm, {result}, {size})
"""


def transposing(dtype: str, args: str, result: str = "dst", tmp: int = 131072):
    """A kernel, and runs of it on arrays of 32 KiB."""
    size = 32768 // NUMPY[dtype].itemsize
    kernel = load(TRANSPOSE.format(dtype=dtype, args=args, size=size, result=result, tmp=tmp)).kernel
    return size, kernel


def extended(kind: str, sizes: str = "n, c, h, w", dst: str = "dst") -> str:
    return f"{dst}, src, tmp, asc.TransposeParamsExt({sizes}, asc.TransposeType.TRANSPOSE_{kind})"


@pytest.mark.parametrize(
    "dtype, args",
    [
        *((dtype, "dst, src") for dtype in SIXTEEN),
        *((dtype, "src, src") for dtype in SIXTEEN),
        ("float16", "dst[n], src[c]"),
        ("uint16", extended("ND2ND_B16")),
    ],
)
def test_square(dtype, args):
    size, kernel = transposing(dtype, args, result="src" if args.startswith("src") else "dst")
    rng = np.random.default_rng(1)
    dst, src = random_array(rng, dtype, size), random_array(rng, dtype, size)
    want = (src if args.startswith("src") else dst).copy()
    to, start = (48, 16) if "[n]" in args else (0, 0)
    want[to : to + 256] = src[start : start + 256].reshape(16, 16).T.ravel()
    kernel[1](dst, src, to, start, 16, 16)
    assert_same(dst, want, f"transpose({args}) of {dtype}")


@pytest.mark.parametrize("kind, axes", [("NCHW2NHWC", (0, 2, 3, 1)), ("NHWC2NCHW", (0, 3, 1, 2))])
@pytest.mark.parametrize("dtype", DTYPES)
def test_channels(dtype, kind, axes):
    size, kernel = transposing(dtype, extended(kind))
    rng, numbers = np.random.default_rng(2), random.Random(dtype)
    block = 32 // NUMPY[dtype].itemsize
    for _ in range(12):
        n, c = numbers.choice([0, 1, 2, 3]), numbers.choice([0, 1, 3, 16, 19])
        h, w = numbers.choice([(1, block), (2, block), (block, 3), (0, 5), (4, 4 * block)])
        count = n * c * h * w
        if count > size:
            continue
        dst, src = random_array(rng, dtype, size), random_array(rng, dtype, size)
        want = dst.copy()
        shape = (n, c, h, w) if kind == "NCHW2NHWC" else (n, h, w, c)
        want[:count] = src[:count].reshape(shape).transpose(axes).ravel()
        kernel[1](dst, src, n, c, h, w)
        assert_same(dst, want, f"{kind} of {dtype}, {(n, c, h, w)}")


def test_none_does_nothing():
    size, kernel = transposing("float16", extended("TYPE_NONE"))
    dst, src = np.full(size, 3, np.float16), np.ones(size, np.float16)
    kernel[1](dst, src, 1, 1, 1, 16)
    assert (dst == 3).all()


def run(dtype: str, args: str, sizes=(1, 2, 2, 16), **changes):
    size, kernel = transposing(dtype, args, **changes)
    return kernel[1](np.zeros(size, NUMPY[dtype]), np.zeros(size, NUMPY[dtype]), *sizes)


@pytest.mark.parametrize(
    "dtype, args, sizes, code",
    [
        ("float32", "dst, src", (), "R101"),
        ("float16", extended("ND2ND_B16"), (0, 0, 16, 16), "R170"),
        ("uint16", extended("ND2ND_B16"), (0, 0, 16, 15), "R170"),
        ("float16", extended("NZ2ND_0213"), (1, 1, 16, 16), "R170"),
        ("float16", extended("NCHW2NHWC"), (1, 1, 3, 5), "R170"),
        ("float16", extended("NCHW2NHWC"), (1, 1, 64, 64), "R170"),
        ("float16", extended("NCHW2NHWC"), (1, 4096, 1, 16), "R105"),
        ("float16", extended("NHWC2NCHW"), (3, 1000, 1, 16), "R110"),
        ("float16", extended("NHWC2NCHW", dst="src"), (1, 2, 2, 16), "R109"),
        ("float16", "src[16:], src", (), "R109"),
        ("float16", "dst, src[16304:]", (), "R110"),
        ("bfloat16", "dst, src", (), "R101"),
        ("float16", extended("NCHW2NHWC").replace("tmp", "src"), (), "R101"),
    ],
)
def test_refused(dtype, args, sizes, code):
    assert code in [d.code for d in diagnostics_of(lambda: run(dtype, args, sizes or (1, 1, 1, 16)))]


@pytest.mark.parametrize("kind, c, needed", [("NCHW2NHWC", 3, 5 * 512), ("NHWC2NCHW", 3, 7 * 512)])
def test_temporary_memory(kind, c, needed):
    run("float16", extended(kind), (1, c, 2, 16), tmp=needed)
    assert diagnostics_of(lambda: run("float16", extended(kind), (1, c, 2, 16), tmp=needed - 32))[0].code == "R110"
    found = diagnostics_of(lambda: run("float16", extended(kind), (1, c, 2, 16), result="tmp.reinterpret_cast(asc.float16)"))
    assert found[0].code == "M302"


# ---------------------------------------------------------------- trans_data_to_5hd

TO_5HD = """import asc


@asc.jit
def kernel(dst_in: asc.GlobalAddress, src_in: asc.GlobalAddress, {numbers}, dst_high: bool, src_high: bool, repeats: int, dst_stride: int,
           src_stride: int):
    dst_gm, src_gm = asc.GlobalTensor(), asc.GlobalTensor()
    dst_gm.set_global_buffer(dst_in, {size})
    src_gm.set_global_buffer(src_in, {size})
    dst = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, 0, {size})
    src = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECCALC, 65536, {size})
    asc.data_copy(dst, dst_gm, {size})
    asc.data_copy(src, src_gm, {size})
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    params = asc.TransDataTo5HDParams(dst_high, src_high, repeats, dst_stride, src_stride)
    {call}
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(dst_gm, dst, {size})
"""
NUMBERS = [f"{side}{i}" for side in "ds" for i in range(16)]
ADDRESSES = """d_table = asc.LocalTensor(asc.uint64, asc.TPosition.VECCALC, 131072, 16)
    s_table = asc.LocalTensor(asc.uint64, asc.TPosition.VECCALC, 131200, 16)
    {stores}
    asc.set_flag(asc.HardEvent.S_V, 0)
    asc.wait_flag(asc.HardEvent.S_V, 0)
    asc.trans_data_to_5hd(d_table, s_table, params, dtype=asc.{dtype})"""


def call_of(form: str, dtype: str) -> str:
    d, s = (", ".join(f"{tensor}[{tensor[0]}{i}]" for i in range(16)) for tensor in ("dst", "src"))
    if form == "tensors":
        return f"asc.trans_data_to_5hd([{d}], [{s}], params)"
    d, s = (", ".join(f"{tensor}.get_phy_addr({tensor[0]}{i})" for i in range(16)) for tensor in ("dst", "src"))
    if form == "addresses":
        return f"asc.trans_data_to_5hd([{d}], src_list=[{s}], params=params, dtype=asc.{dtype})"
    stores = [f"{t[0]}_table.set_value({i}, {t}[{t[0]}{i}:].get_phy_addr())" for t in ("dst", "src") for i in range(16)]
    return ADDRESSES.format(dtype=dtype, stores="\n    ".join(stores))


def to_5hd_kernel(form: str, dtype: str, call: str = ""):
    size = 65536 // NUMPY[dtype].itemsize
    numbers = ", ".join(f"{name}: int" for name in NUMBERS)
    return load(TO_5HD.format(numbers=numbers, size=size, dtype=dtype, call=call or call_of(form, dtype))).kernel


def blocks_moved(dst, src, d, s, high, repeats, strides) -> np.ndarray:
    """In elements: d and s are where the blocks begin, high are the halves, strides those of dst and src."""
    want, itemsize = dst.copy(), dst.itemsize
    columns = {1: 16, 2: 16, 4: 8}[itemsize]
    half = [16 * h if itemsize == 1 else 0 for h in high]
    for r in range(repeats):
        step = 1 if repeats == 1 else r
        to, start = ([x + h + step * stride * 32 // itemsize for x in xs] for xs, h, stride in zip((d, s), half, strides, strict=True))
        matrix = np.array([src[begin : begin + columns] for begin in start])
        rows = matrix.T if itemsize < 4 else matrix.T.reshape(16, 8)
        for begin, row in zip(to, rows, strict=True):
            want[begin : begin + row.size] = row
    return want


@pytest.mark.parametrize("form", ["tensors", "addresses", "table"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_trans_data_to_5hd(dtype, form):
    kernel = to_5hd_kernel(form, dtype)
    rng, numbers = np.random.default_rng(6), random.Random(f"{dtype} {form}")
    itemsize = NUMPY[dtype].itemsize
    for _ in range(8):
        repeats, dst_stride, src_stride = numbers.choice([(0, 1, 1), (1, 0, 0), (2, 16, 1), (5, 17, 3), (4, 0, 0), (3, 100, 16)])
        d, s = (numbers.sample(range(0, 1600), 16) for _ in range(2))
        if numbers.random() < 0.3:
            s[3] = s[5]  # a block may be read twice
        d, s = ([block * 32 // itemsize for block in blocks] for blocks in (d, s))
        high = numbers.random() < 0.5, numbers.random() < 0.5
        dst, src = (random_array(rng, dtype, 65536 // itemsize) for _ in range(2))
        want = blocks_moved(dst, src, d, s, high, repeats, (dst_stride, src_stride))
        kernel[1](dst, src, *d, *s, *high, repeats, dst_stride, src_stride)
        assert_same(dst, want, f"trans_data_to_5hd {dtype} {form} {(repeats, dst_stride, src_stride, high)}")


def test_strides_of_a_single_repeat_count_once():
    """As documented; the launch warns."""
    kernel = to_5hd_kernel("tensors", "float16")
    d, s = (list(range(0, 256, 16)) for _ in range(2))
    dst, src = np.zeros(32768, np.float16), np.arange(32768, dtype=np.float16)
    with pytest.warns(Warning, match="R172"):
        kernel[1](dst, src, *d, *s, False, False, 1, 16, 32)
    assert_same(dst, blocks_moved(np.zeros(32768, np.float16), src, d, s, (False, False), 1, (16, 32)), "one repeat")


CONSTANT = list(range(0, 256, 16))


@pytest.mark.parametrize(
    "call, code",
    [
        ("asc.trans_data_to_5hd([dst] * 15, [src] * 16, params)", "T401"),
        ("asc.trans_data_to_5hd([dst] * 16, [src] * 15 + [3], params)", "T401"),
        ("asc.trans_data_to_5hd([dst] * 16, [src.reinterpret_cast(asc.int16)] * 16, params)", "R102"),
        ("asc.trans_data_to_5hd([dst[8:]] + [dst] * 15, [src] * 16, params)", "R104"),
        ("asc.trans_data_to_5hd([dst] * 16, [dst[16:]] * 15 + [dst], params)", "R109"),
        ("asc.trans_data_to_5hd([dst] * 16, [src[32760:]] * 16, params)", "R104"),
        ("asc.trans_data_to_5hd([0] * 16, [65536] * 15 + [65544], params)", "R171"),
        ("asc.trans_data_to_5hd([0] * 16, [196608] * 16, params)", "R171"),
        ("asc.trans_data_to_5hd(dst, src, params)", "R101"),
    ],
)
def test_blocks_refused(call, code):
    kernel = to_5hd_kernel("", "float16", call)
    arrays = np.zeros(32768, np.float16), np.zeros(32768, np.float16)
    assert diagnostics_of(lambda: kernel[1](*arrays, *CONSTANT, *CONSTANT, False, False, 1, 0, 0))[0].code == code


def test_blocks_outside():
    kernel = to_5hd_kernel("tensors", "float16")
    arrays = np.zeros(32768, np.float16), np.zeros(32768, np.float16)
    found = diagnostics_of(lambda: kernel[1](*arrays, *CONSTANT, *CONSTANT, False, False, 200, 16, 1))
    assert "R110" in [d.code for d in found]
    kernel = to_5hd_kernel("addresses", "float16", "asc.trans_data_to_5hd([0] * 16, [65536] * 15 + [196576], params)")
    assert diagnostics_of(lambda: kernel[1](*arrays, *CONSTANT, *CONSTANT, False, False, 2, 16, 1))[0].code == "M101"


READS = """import asc


@asc.jit
def kernel(out: asc.GlobalAddress, high: bool):
    out_gm = asc.GlobalTensor()
    out_gm.set_global_buffer(out, 512)
    dst = asc.LocalTensor(asc.int8, asc.TPosition.VECCALC, 0, 512)
    src = asc.LocalTensor(asc.int8, asc.TPosition.VECCALC, 512, 512)
    halves = src.reinterpret_cast(asc.int16)
    for i in range(16):
        asc.duplicate(halves[16 * i], 0, 8)
    params = asc.TransDataTo5HDParams(False, high)
    d = [dst[32 * i] for i in range(16)]
    s = [src[32 * i] for i in range(16)]
    {call}
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(out_gm, dst, 512)
"""


@pytest.mark.parametrize("call", ["asc.trans_data_to_5hd(d, s, params)"])
def test_half_blocks_are_read_and_written(call):
    """The lower halves of src are written, and those of dst then: storing all of dst is an uninitialised read."""
    kernel = load(READS.format(call=call)).kernel
    found = diagnostics_of(lambda: kernel[1](np.zeros(512, np.int8), False))
    assert [d.code for d in found] == ["M301"] and "UB bytes 16..31" in found[0].message
    assert "trans_data_to_5hd" in diagnostics_of(lambda: kernel[1](np.zeros(512, np.int8), True))[0].message


SYNCHRONISED = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 256 * n)
    z_gm.set_global_buffer(z, 256 * n)
    src = asc.LocalTensorAuto(asc.float16, 256)
    dst = asc.LocalTensorAuto(asc.float16, 256)
    rows = [src.get_phy_addr(16 * i) for i in range(16)]
    columns = [dst.get_phy_addr(16 * i) for i in range(16)]
    {tables}
    for i in range(n):
        asc.data_copy(src, x_gm[256 * i], 256)
        {call}
        asc.data_copy(z_gm[256 * i], dst, 256)
"""
TABLES = """row_table = asc.LocalTensorAuto(asc.uint64, 16)
    column_table = asc.LocalTensorAuto(asc.uint64, 16)
    for i in asc.static_range(16):
        row_table.set_value(i, rows[i])
        column_table.set_value(i, columns[i])"""


@pytest.mark.parametrize("check", [True, "adversarial"])
@pytest.mark.parametrize("tables, lists", [("", "columns, rows"), (TABLES, "column_table, row_table")], ids=["addresses", "table"])
def test_the_compiler_orders_what_is_given_by_address(tables, lists, check):
    """Nothing names the tensors, so the flags are for all of the unified buffer; and their places are theirs to the end."""
    call = f"asc.trans_data_to_5hd({lists}, asc.TransDataTo5HDParams())"
    kernel = load(SYNCHRONISED.format(tables=tables or "pass", call=call)).kernel.options(check=check)
    x = np.arange(1024, dtype=np.float16)
    z = np.zeros_like(x)
    kernel[1](x, z, 4)
    assert_same(z, x.reshape(4, 16, 16).transpose(0, 2, 1).ravel(), "blocks by address")
