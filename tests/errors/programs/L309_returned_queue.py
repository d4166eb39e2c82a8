# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A queue ends with the function that makes it.
import asc
import numpy as np


@asc.jit
def make_queue(pipe):
    q = asc.TQue(asc.TPosition.VECIN, 2)
    pipe.init_buffer(q, 2, 1024)
    return q


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    q = make_queue(pipe)


kernel[1](np.zeros(64, np.float32), 3)
