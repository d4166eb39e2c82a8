# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: select needs these bytes itself
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 188416, 64)
    bits = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 1024, 64)
    result = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 2048, 64)
    asc.duplicate(a, -1.0, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.compare_scalar(bits, a, 0.0, asc.CMPMODE.GT, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.select(result, bits, a, 0.0, asc.SelMode.VSEL_TENSOR_SCALAR_MODE, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, result, 64)


kernel[1](x)


# %% right: the last 8 KiB are left alone
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    bits = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 1024, 64)
    result = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 2048, 64)
    asc.duplicate(a, -1.0, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.compare_scalar(bits, a, 0.0, asc.CMPMODE.GT, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.select(result, bits, a, 0.0, asc.SelMode.VSEL_TENSOR_SCALAR_MODE, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, result, 64)


kernel[1](x)
assert (x == 0).all()
