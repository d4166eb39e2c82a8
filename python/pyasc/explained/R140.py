# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float16)


# %% wrong: three arguments are the scale of int16
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    sums = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
    result = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 1024, 64)
    asc.duplicate(sums, 6, 64)
    asc.set_deq_scale(0.5, 0, True)
    asc.cast(result, sums, asc.RoundMode.CAST_NONE, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, result, 64)


kernel[1](x)


# %% right: one is that of int32
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    sums = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
    result = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 1024, 64)
    asc.duplicate(sums, 6, 64)
    asc.set_deq_scale(0.5)
    asc.cast(result, sums, asc.RoundMode.CAST_NONE, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, result, 64)


kernel[1](x)
assert (x == 3).all()
