# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A run-time number of buffers is less than none.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, number: int):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, number, 256)


kernel[1](np.zeros(64, np.float32), -1)
