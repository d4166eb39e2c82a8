# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.uint8)


# %% wrong: the last 50 elements are no whole repeat
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    result = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 2048, 64)
    asc.duplicate(a, 1.0, 64)
    asc.duplicate(result.reinterpret_cast(asc.int32), 0, 16)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.compare_scalar(result, a, 2.0, asc.CMPMODE.LT, 50)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, result, 64)


kernel[1](x)


# %% right: one repeat is 64 elements of float32
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    result = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 2048, 64)
    asc.duplicate(a, 1.0, 64)
    asc.duplicate(result.reinterpret_cast(asc.int32), 0, 16)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.compare_scalar(result, a, 2.0, asc.CMPMODE.LT, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, result, 64)


kernel[1](x)
assert (x[:8] == 255).all()
