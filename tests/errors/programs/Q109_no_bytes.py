# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A run-time size is 0.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, size: int):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, size)


kernel[1](np.zeros(64, np.float32), 0)
