# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A method belongs to an object.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.TQue.alloc_tensor(asc.float32)
    asc.duplicate(tile, 1.0, 64)


kernel[1](np.zeros(64, np.float32))
