# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The same with a run-time distance: found when the instruction runs.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, distance: int):
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.shift_right(tile, tile, distance, 64)


kernel[1](np.zeros(64, np.int32), -1)
