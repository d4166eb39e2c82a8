# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# add_deq_relu keeps intermediate results in its sources.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    sums = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 64)
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 1024, 64)
    other = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 2048, 64)
    asc.duplicate(tile, 1, 64)
    asc.duplicate(other, 2, 64)
    asc.set_deq_scale(0.5)
    asc.add_deq_relu(sums, tile, other, 64)
    asc.adds(tile, tile, 1, 64)


kernel[1](np.zeros(64, np.float32))
