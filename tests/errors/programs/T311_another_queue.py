# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A tensor goes to the queue that it came from.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    q_in = asc.TQue(asc.TPosition.VECIN, 1)
    q_mask = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(q_in, 1, 1024)
    pipe.init_buffer(q_mask, 1, 1024)
    t = q_in.alloc_tensor(asc.float32)
    q_mask.enque(t)


kernel[1](np.zeros(64, np.float32), 3)
