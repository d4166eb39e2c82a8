# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float16)


# %% wrong: byte 194560 is in the last 8 KiB
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    sums = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 64)
    a = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 1024, 64)
    b = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 194560, 64)
    asc.duplicate(a, 1, 64)
    asc.duplicate(b, 2, 64)
    asc.set_deq_scale(0.5)
    asc.add_deq_relu(sums, a, b, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, sums, 64)


kernel[1](x)


# %% right: byte 2048 is not
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    sums = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 64)
    a = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 1024, 64)
    b = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 2048, 64)
    asc.duplicate(a, 1, 64)
    asc.duplicate(b, 2, 64)
    asc.set_deq_scale(0.5)
    asc.add_deq_relu(sums, a, b, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, sums, 64)


kernel[1](x)
assert (x == 1.5).all()
