# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.uint8)


# %% wrong: byte 2056 is in the middle of 16
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    result = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 2048, 64)
    asc.duplicate(a, 1.0, 64)
    asc.duplicate(result.reinterpret_cast(asc.int32), 0, 16)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.compare(a, a, asc.CMPMODE.EQ, 64, asc.BinaryRepeatParams())
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.get_cmp_mask(result[8])
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, result, 64)


kernel[1](x)


# %% right: byte 2064 begins the next 16
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    result = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 2048, 64)
    asc.duplicate(a, 1.0, 64)
    asc.duplicate(result.reinterpret_cast(asc.int32), 0, 16)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.compare(a, a, asc.CMPMODE.EQ, 64, asc.BinaryRepeatParams())
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.get_cmp_mask(result[16])
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, result, 64)


kernel[1](x)
assert (x[16:24] == 255).all()
