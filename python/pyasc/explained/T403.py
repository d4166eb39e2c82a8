# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

a = np.arange(16, dtype=np.float32)
b = np.arange(16 * 64, dtype=np.float32).reshape(16, 64)
c = np.zeros(64, np.float32)


# %% wrong: mmad runs on the cube core
@asc.jit
def kernel(a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress):
    fm = asc.LocalTensor(asc.float32, asc.TPosition.A2, 0, 256)
    filter = asc.LocalTensor(asc.float32, asc.TPosition.B2, 0, 1024)
    dst = asc.LocalTensor(asc.float32, asc.TPosition.CO1, 0, 1024)
    asc.mmad(dst, fm, filter, asc.MmadParams(m=1, n=64, k=16))


kernel[1](a, b, c)


# %% right: a row of the product as a sum of rows
@asc.jit
def kernel(a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress):
    a_gm, b_gm, c_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    a_gm.set_global_buffer(a, 16)
    b_gm.set_global_buffer(b, 16 * 64)
    c_gm.set_global_buffer(c, 64)
    rows = asc.LocalTensorAuto(asc.float32, 16 * 64)
    total = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(rows, b_gm, 16 * 64)
    asc.duplicate(total, 0.0, 64)
    for k in range(16):
        asc.axpy(total, rows[64 * k], a_gm.get_value(k), 64)
    asc.data_copy(c_gm, total, 64)


kernel[1](a, b, c)
assert (c == a @ b).all()
