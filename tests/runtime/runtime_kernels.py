# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Small kernels for the tests of launches and caches: one block, one tile.
import asc

FACTOR = 3


@asc.jit
def copy(src: asc.GlobalAddress, dst: asc.GlobalAddress, n: int):
    src_gm, dst_gm = asc.GlobalTensor(), asc.GlobalTensor()
    src_gm.set_global_buffer(src, n)
    dst_gm.set_global_buffer(dst, n)
    tile = asc.LocalTensor(src.dtype, asc.TPosition.VECIN, 0, 4096)
    asc.data_copy(tile, src_gm, n)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(dst_gm, tile, n)


@asc.jit
def add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    z_gm.set_global_buffer(z, n)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 4096)
    y_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 32768, 4096)
    z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 65536, 4096)
    asc.data_copy(x_local, x_gm, n)
    asc.data_copy(y_local, y_gm, n)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.add(z_local, x_local, y_local, n)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_local, n)


@asc.jit
def store(dst: asc.GlobalAddress, value):
    """Writes one value; its type is that of the array."""
    out = asc.GlobalTensor()
    out.set_global_buffer(dst, 1)
    out.set_value(0, value)


@asc.jit
def scaled(dst: asc.GlobalAddress, value: int):
    """Uses a global of this module."""
    out = asc.GlobalTensor()
    out.set_global_buffer(dst, 1)
    out.set_value(0, value * FACTOR)


@asc.jit
def static(dst: asc.GlobalAddress, value: asc.ConstExpr):
    out = asc.GlobalTensor()
    out.set_global_buffer(dst, 1)
    out.set_value(0, value)


@asc.jit
def endless(dst: asc.GlobalAddress):
    out = asc.GlobalTensor()
    out.set_global_buffer(dst, 1)
    i = 0
    while i >= 0:
        i = 1 - i
    out.set_value(0, i)


@asc.jit
def count(dst: asc.GlobalAddress, n: int):
    """Adds up in a loop: time for other threads."""
    out = asc.GlobalTensor()
    out.set_global_buffer(dst, 1)
    total = 0
    for i in range(n):
        total = (total + i) % 1000003
    out.set_value(0, total)
