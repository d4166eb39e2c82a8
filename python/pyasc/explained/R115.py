# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: scalar code runs in order, without a barrier
@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 2.0, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_S)


kernel[1](x)


# %% right: a barrier for all pipes, the scalar unit too
@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 2.0, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)


kernel[1](x)
