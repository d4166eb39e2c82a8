# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Atomic stores: copies to global memory that add, or keep the larger or smaller value: GM[k] = op(GM[k], src[k]).
import asc
import ml_dtypes
import numpy as np
import pytest
from support.dtypes import NUMPY, assert_same, random_array
from support.kernel_file import load

DTYPES = ["int8", "int16", "int32", "float16", "bfloat16", "float32"]
NAN = {"float16": 0x7E00, "bfloat16": 0x7FC0, "float32": 0x7FC00000}
BITS = {1: np.uint8, 2: np.uint16, 4: np.uint32}


def combine(op: str, there: np.ndarray, stored: np.ndarray) -> np.ndarray:
    """As the specification says: integers wrap; each sum of floats is rounded once, to nearest even; NaN is the one quiet NaN; of two zeros
    +0 is larger."""
    dtype = there.dtype
    if dtype.kind in "iu":
        return {"add": np.add, "max": np.maximum, "min": np.minimum}[op](there, stored)
    a, b = there.astype(np.float64), stored.astype(np.float64)
    with np.errstate(all="ignore"):
        if op == "add":
            # Rounded to float32 first, a sum of two numbers of 16 bits is rounded to these as the exact one would be.
            wide = (there.astype(np.float32) + stored.astype(np.float32)).astype(dtype)
        else:
            larger = (a > b) | ((a == b) & ~np.signbit(a))
            wide = np.where(larger == (op == "max"), there, stored)
        nan = np.isnan(a) | np.isnan(b) | np.isnan(wide.astype(np.float64))
    wide = wide.copy()
    wide.view(BITS[dtype.itemsize])[nan] = NAN[dtype.name]
    return wide


KERNEL = """import asc


@asc.jit
def kernel(src: asc.GlobalAddress, dst: asc.GlobalAddress, n: int, start: int):
    src_gm, dst_gm = asc.GlobalTensor(), asc.GlobalTensor()
    src_gm.set_global_buffer(src)
    dst_gm.set_global_buffer(dst)
    tile = asc.LocalTensor(asc.DTYPE, asc.TPosition.VECCALC, 0, 4096)
    asc.data_copy(tile, src_gm, 512)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.set_atomic_OP(asc.DTYPE)
    STORE
    asc.set_atomic_none()
"""
STORES = {
    "count": "asc.data_copy(dst_gm[start], tile, n)",
    "blocks": "asc.data_copy(dst_gm[start], tile, asc.DataCopyParams(3, 2, 1, 4))",
    "pad": "asc.data_copy_pad(dst_gm[start], tile, asc.DataCopyExtParams(3, 5 * SIZE, 0, 7 * SIZE))",
    "pad 16 bits": "asc.data_copy_pad(dst_gm[start], tile, asc.DataCopyParams(3, 5 * SIZE, 0, 7 * SIZE))",
}


def places(store: str, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Element numbers in dst, from its start on, and in tile."""
    if store == "count":
        return np.arange(128), np.arange(128)
    if store == "blocks":
        block = 64 // size
        rows = np.arange(3)[:, None]
        return (rows * (192 // size) + np.arange(block)).ravel(), (rows * (96 // size) + np.arange(block)).ravel()
    rows = np.arange(3)[:, None]
    return (rows * 12 + np.arange(5)).ravel(), (rows * (-(-5 * size // 32) * 32 // size) + np.arange(5)).ravel()


@pytest.mark.parametrize("op", ["add", "max", "min"])
@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_stores(dtype, store, op):
    numpy = np.dtype(NUMPY[dtype])
    text = KERNEL.replace("STORE", STORES[store]).replace("SIZE", str(numpy.itemsize)).replace("DTYPE", dtype).replace("OP", op)
    kernel = load(text).kernel
    rng = np.random.default_rng(len(store))
    for start in (0, 3):
        src, dst = random_array(rng, dtype, 512), random_array(rng, dtype, 700)
        to, of = places(store, numpy.itemsize)
        want = dst.copy()
        want[start + to] = combine(op, dst[start + to], src[of])
        kernel[1](src, dst, 128, start)
        assert_same(dst, want, dtype)


@pytest.mark.parametrize("op, dtype, there, stored, result", [("add", "int16", 0, (1, 2), 3), ("max", "float32", 0, (0, 1, 2), 2)])
def test_documented_stores(op, dtype, there, stored, result):
    kernel = load(KERNEL.replace("STORE", STORES["count"]).replace("DTYPE", dtype).replace("OP", op)).kernel
    dst = np.full(16, there, NUMPY[dtype])
    for value in stored:
        kernel[1](np.full(512, value, NUMPY[dtype]), dst, 16, 0)
    np.testing.assert_array_equal(dst, np.full(16, result))


SLICES = "[asc.SliceInfo(0, 63, 0, 64 * SIZE // 32, 64)]"
FORMS = {
    "fractals": "asc.data_copy(dst_gm, tile, asc.Nz2NdParamsFull(1, 16, 32, 2, 16, 32, 1))",
    "slices": f"asc.data_copy(dst_gm, tile, {SLICES}, {SLICES}, 1)",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", ["int16", "float32"])
def test_other_forms_of_data_copy(dtype, form):
    """They add where a plain copy stores, and the race checker knows."""
    text = KERNEL.replace("DTYPE", dtype).replace("OP", "add")
    size = np.dtype(NUMPY[dtype]).itemsize
    plain = load(
        text.replace("asc.set_atomic_add(asc." + dtype + ")", "pass").replace("STORE", FORMS[form]).replace("SIZE", str(size))
    ).kernel
    twice = load(text.replace("STORE", FORMS[form] + "\n    " + FORMS[form]).replace("SIZE", str(size))).kernel
    src = np.arange(1, 513).astype(NUMPY[dtype])
    stored, sums = np.zeros(700, NUMPY[dtype]), np.arange(700).astype(NUMPY[dtype])
    plain[1](src, stored, 0, 0)
    assert np.count_nonzero(stored) == {"fractals": 512, "slices": 64}[form]
    twice[1](src, sums, 0, 0)
    np.testing.assert_array_equal(sums, np.arange(700) + 2 * stored)


def test_sum_of_two_copies():
    """The specification's vectors: 1 + 2 -> 3; three cores with 0, 1, 2: max -> 2, min over 0 -> 0."""

    @asc.jit
    def add_twice(dst: asc.GlobalAddress):
        gm = asc.GlobalTensor()
        gm.set_global_buffer(dst, 64)
        one = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
        two = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 256, 64)
        asc.duplicate(one, 1.0, 64)
        asc.duplicate(two, 2.0, 64)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.set_atomic_add(asc.float32)
        asc.data_copy(gm, one, 64)
        asc.data_copy(gm, two, 64)  # sums come in any order: no barrier
        asc.set_atomic_none()

    out = np.zeros(64, np.float32)
    add_twice[1](out)
    np.testing.assert_array_equal(out, np.full(64, 3, np.float32))

    for op, want in (("max", 2), ("min", 0)):

        @asc.jit
        def extreme(dst: asc.GlobalAddress, smallest: asc.ConstExpr):
            gm = asc.GlobalTensor()
            gm.set_global_buffer(dst, 64)
            tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
            asc.duplicate(tile, asc.get_block_idx(), 64)
            asc.set_flag(asc.HardEvent.V_MTE3, 0)
            asc.wait_flag(asc.HardEvent.V_MTE3, 0)
            if smallest:
                asc.set_atomic_min(asc.int32)
            else:
                asc.set_atomic_max(asc.int32)
            asc.data_copy(gm, tile, 64)
            asc.set_atomic_none()

        out = np.zeros(64, np.int32)
        extreme[3](out, op == "min")
        np.testing.assert_array_equal(out, np.full(64, want, np.int32))


@asc.jit
def configurations(out: asc.GlobalAddress):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(out, 16)
    kind, op = asc.get_store_atomic_config()
    gm.set_value(0, kind), gm.set_value(1, op)
    asc.set_atomic_max(asc.float16)
    kind, op = asc.get_store_atomic_config()
    gm.set_value(2, kind), gm.set_value(3, op)
    asc.set_atomic_type(asc.int32)
    kind, op = asc.get_store_atomic_config()
    gm.set_value(4, kind), gm.set_value(5, op)
    asc.set_store_atomic_config(asc.AtomicDtype.ATOMIC_BF16, asc.AtomicOp.ATOMIC_SUM)
    kind, op = asc.get_store_atomic_config()
    gm.set_value(6, kind), gm.set_value(7, op)
    asc.set_atomic_min(asc.int8)
    kind, op = asc.get_store_atomic_config()
    gm.set_value(8, kind), gm.set_value(9, op)
    asc.set_atomic_none()
    kind, op = asc.get_store_atomic_config()
    gm.set_value(10, kind), gm.set_value(11, op)
    asc.set_atomic_add(asc.int16)
    asc.init_soc_state()
    kind, op = asc.get_store_atomic_config()
    gm.set_value(12, kind), gm.set_value(13, op)


def test_configuration():
    out = np.full(16, -1, np.int32)
    configurations[1](out)
    assert out.tolist() == [0, 0, 2, 1, 4, 1, 6, 0, 5, 2, 0, 0, 0, 0, -1, -1]


@asc.jit
def sum_of_blocks(src: asc.GlobalAddress, dst: asc.GlobalAddress, rounds: int):
    src_gm, dst_gm = asc.GlobalTensor(), asc.GlobalTensor()
    src_gm.set_global_buffer(src + asc.get_block_idx() * 256, 256)
    dst_gm.set_global_buffer(dst, 256)
    tile = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 256)
    asc.data_copy(tile, src_gm, 256)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.set_atomic_add(asc.float16)
    for _ in range(rounds + asc.get_block_idx() % 3):
        asc.data_copy(dst_gm, tile, 256)
    asc.set_atomic_none()


def test_sums_are_the_same_for_any_number_of_threads_and_with_or_without_checks():
    rng = np.random.default_rng(4)
    src = rng.standard_normal(60 * 256).astype(np.float16)
    results = []
    for options in [{"threads": 1}, {"threads": 7}, {}, {"check": False}, {"threads": 3, "check": False}] * 2:
        out = np.zeros(256, np.float16)
        sum_of_blocks.options(**options)[60](src, out, 4)
        results.append(out)
    for out in results[1:]:
        np.testing.assert_array_equal(out.view(np.uint16), results[0].view(np.uint16))
    times = 4 + np.arange(60) % 3
    exact = (src.reshape(60, 256).astype(np.float64) * times[:, None]).sum(0)
    # Each of the 300 sums is rounded to half: partial sums below 128 have steps of at most 2**-4.
    assert np.abs(results[0].astype(np.float64) - exact).max() < times.sum() * 2**-5


def test_a_type_that_is_not_that_of_the_tensor_warns():
    @asc.jit
    def kernel(dst: asc.GlobalAddress):
        gm = asc.GlobalTensor()
        gm.set_global_buffer(dst, 64)
        tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
        asc.duplicate(tile, 1, 64)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.set_atomic_add(asc.float32)
        asc.data_copy(gm, tile, 64)
        asc.set_atomic_none()

    from pyasc.errors import PyascWarning

    with pytest.warns(PyascWarning, match="R160"):
        kernel[1](np.zeros(64, np.int32))


def test_half_infinity_stays():
    """CTRL[48] is 1 at the start: Inf and NaN are kept."""
    src, dst = np.full(512, 60000, np.float16), np.full(700, 60000, np.float16)
    text = KERNEL.replace("STORE", STORES["count"]).replace("DTYPE", "float16").replace("OP", "add")
    load(text).kernel[1](src, dst, 128, 0)
    assert np.isposinf(dst[:128]).all() and (dst[128:] == 60000).all()


def test_bfloat16_is_rounded_once():
    one = np.full(512, 1, ml_dtypes.bfloat16)
    dst = np.full(700, 256, ml_dtypes.bfloat16)
    text = KERNEL.replace("STORE", STORES["count"]).replace("DTYPE", "bfloat16").replace("OP", "add")
    load(text).kernel[1](one, dst, 128, 0)
    assert (dst[:128].astype(np.float32) == 256).all()  # 257 is halfway between 256 and 258
