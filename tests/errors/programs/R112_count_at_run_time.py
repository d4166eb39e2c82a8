# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The same with a run-time count: found when the instruction runs.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(tile, x_gm, n)


kernel[1](np.zeros(64, np.float32), 20)
