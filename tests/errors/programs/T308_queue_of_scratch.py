# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Scratch memory has no queue.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    q = asc.TQue(asc.TPosition.VECCALC, 1)


kernel[1](np.zeros(64, np.float32), 3)
