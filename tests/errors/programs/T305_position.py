# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A LocalTensor is in on-chip memory.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.GM, 0, 64)


kernel[1](np.zeros(64, np.float32))
