# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.uint8)


# %% wrong: integers have no order for the vector unit
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
    b = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 1024, 64)
    result = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 2048, 64)
    asc.duplicate(a, 1, 64)
    asc.duplicate(b, 2, 64)
    asc.duplicate(result.reinterpret_cast(asc.int32), 0, 16)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.compare(result, a, b, asc.CMPMODE.LT, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, result, 64)


kernel[1](x)


# %% right: numbers that float32 holds compare as such
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
    b = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 1024, 64)
    c = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 4096, 64)
    d = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 5120, 64)
    result = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 2048, 64)
    asc.duplicate(a, 1, 64)
    asc.duplicate(b, 2, 64)
    asc.duplicate(result.reinterpret_cast(asc.int32), 0, 16)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.cast(c, a, asc.RoundMode.CAST_NONE, 64)
    asc.cast(d, b, asc.RoundMode.CAST_NONE, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.compare(result, c, d, asc.CMPMODE.LT, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, result, 64)


kernel[1](x)
assert (x[:8] == 255).all()
