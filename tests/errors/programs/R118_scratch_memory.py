# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The last 8 KiB of the unified buffer are the scratch memory of the call.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    sums = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 64)
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 1024, 64)
    other = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 190 * 1024, 64)
    asc.add_deq_relu(sums, tile, other, 64)


kernel[1](np.zeros(64, np.float32))
