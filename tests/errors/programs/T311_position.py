# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An input is no tensor of the output queue.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    q_in = asc.TQue(asc.TPosition.VECIN, 1)
    q_out = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(q_in, 1, 1024)
    pipe.init_buffer(q_out, 1, 1024)
    t = q_in.alloc_tensor(asc.float32)
    q_out.enque(t)


kernel[1](np.zeros(64, np.float32), 3)
