# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tensors themselves: elements, sizes, sub-tensors, other element types on the same bytes.
import asc
import numpy as np
import pytest
from support.dtypes import NUMPY, assert_same, random_array
from support.kernel_file import load

N = 64


@pytest.mark.parametrize("dtype", NUMPY)
def test_elements_of_local_tensors(dtype):
    """get_value and set_value keep every bit of every element type."""
    kernel = load(f"""import asc


@asc.jit
def kernel(src_address: asc.GlobalAddress, dst_address: asc.GlobalAddress, n: int):
    src_gm, dst_gm = asc.GlobalTensor(), asc.GlobalTensor()
    src_gm.set_global_buffer(src_address, n)
    dst_gm.set_global_buffer(dst_address, n)
    src = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECIN, 0, {N})
    dst = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECOUT, 1024, {N})
    asc.data_copy(src, src_gm, n)
    asc.set_flag(asc.HardEvent.MTE2_S, 0)
    asc.wait_flag(asc.HardEvent.MTE2_S, 0)
    for i in range(n):
        dst.set_value(i, src.get_value(n - 1 - i))
    asc.set_flag(asc.HardEvent.S_MTE3, 0)
    asc.wait_flag(asc.HardEvent.S_MTE3, 0)
    asc.data_copy(dst_gm, dst, n)
""").kernel
    src = random_array(np.random.default_rng(1), dtype, N)
    dst = np.zeros(N, NUMPY[dtype])
    kernel[1](src, dst, N)
    assert_same(dst, src[::-1].copy(), dtype)


@pytest.mark.parametrize("dtype", NUMPY)
def test_elements_of_global_tensors(dtype):
    kernel = load("""import asc


@asc.jit
def kernel(src_address: asc.GlobalAddress, dst_address: asc.GlobalAddress, n: int):
    src_gm, dst_gm = asc.GlobalTensor(), asc.GlobalTensor()
    src_gm.set_global_buffer(src_address, n)
    dst_gm.set_global_buffer(dst_address, n)
    for i in range(n):
        dst_gm.set_value(i, src_gm.get_value(n - 1 - i))
""").kernel
    src = random_array(np.random.default_rng(2), dtype, N)
    dst = np.zeros(N, NUMPY[dtype])
    kernel[1](src, dst, N)
    assert_same(dst, src[::-1].copy(), dtype)


@asc.jit
def sizes(out: asc.GlobalAddress, n: int):
    out_gm = asc.GlobalTensor()
    out_gm.set_global_buffer(out, n)
    unsized = asc.GlobalTensor()
    unsized.set_global_buffer(out)
    t = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 64, n)
    out_gm.set_value(0, t.get_size())
    out_gm.set_value(1, t[8].get_size())
    out_gm.set_value(2, t[8:].get_size())
    out_gm.set_value(3, t[8][8].get_size())
    out_gm.set_value(4, t.reinterpret_cast(asc.int16).get_size())
    out_gm.set_value(5, t[16].reinterpret_cast(asc.int64).get_size())
    out_gm.set_value(6, out_gm.get_size())
    out_gm.set_value(7, out_gm[5].get_size())
    out_gm.set_value(8, unsized.get_size())
    out_gm.set_value(9, unsized[5].get_size())
    out_gm.set_value(10, asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 0, 96).get_size())


def test_sizes():
    out = np.full(N, -1, np.int64)
    sizes[1](out, N)
    assert list(out[:11]) == [64, 56, 56, 48, 128, 24, 64, 59, 0, 0, 96]
    assert (out[11:] == -1).all()


@asc.jit
def exchange_halves(x: asc.GlobalAddress, n: int):
    """Swaps the 16-bit halves of 32-bit words through a second view of the same bytes."""
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    words = asc.LocalTensor(asc.uint32, asc.TPosition.VECCALC, 0, n)
    halves = words.reinterpret_cast(asc.uint16)
    asc.data_copy(words, x_gm, n)
    asc.set_flag(asc.HardEvent.MTE2_S, 0)
    asc.wait_flag(asc.HardEvent.MTE2_S, 0)
    for i in range(n):
        low, high = halves.get_value(2 * i), halves.get_value(2 * i + 1)
        halves.set_value(2 * i, high)
        halves.set_value(2 * i + 1, low)
    asc.set_flag(asc.HardEvent.S_MTE3, 0)
    asc.wait_flag(asc.HardEvent.S_MTE3, 0)
    asc.data_copy(x_gm, words, n)


def test_reinterpret_cast():
    x = random_array(np.random.default_rng(3), "uint32", N)
    want = x << 16 | x >> 16
    exchange_halves[1](x, N)
    np.testing.assert_array_equal(x, want)


@asc.jit
def copy_from(x: asc.GlobalAddress, out: asc.GlobalAddress, start: int, n: int):
    """The same place reached by address arithmetic, by a sub-tensor and by a sub-tensor of a sub-tensor."""
    a, b, c, out_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    a.set_global_buffer(x + start, n)
    b.set_global_buffer(x)
    c.set_global_buffer(x + 1)
    out_gm.set_global_buffer(out, 3 * n)
    t = asc.LocalTensor(asc.int16, asc.TPosition.VECCALC, 0, 3 * n)
    asc.data_copy(t, a, n)
    asc.data_copy(t[n], b[start:], n)
    asc.data_copy(t[n:][n], c[start - 1], n)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(out_gm, t, 3 * n)


@pytest.mark.parametrize("start", [1, 3, 16, 100])
def test_places(start):
    x = random_array(np.random.default_rng(4), "int16", 200)
    out = np.zeros(96, np.int16)
    copy_from[1](x, out, start, 32)
    np.testing.assert_array_equal(out, np.tile(x[start : start + 32], 3))
