# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Three tensors of two buffers are in use.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    first = queue.alloc_tensor(asc.float32)
    queue.enque(first)
    second = queue.alloc_tensor(asc.float32)
    third = queue.alloc_tensor(asc.float32)


kernel[1](np.zeros(64, np.float32))
