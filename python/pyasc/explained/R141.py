# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: every float16 is a float32: nothing is rounded
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 64)
    result = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 1024, 64)
    asc.duplicate(a, 1.5, 64)
    asc.cast(result, a, asc.RoundMode.CAST_RINT, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, result, 64)


kernel[1](x)


# %% right: so the mode is CAST_NONE
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 64)
    result = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 1024, 64)
    asc.duplicate(a, 1.5, 64)
    asc.cast(result, a, asc.RoundMode.CAST_NONE, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, result, 64)


kernel[1](x)
assert (x == 1.5).all()
