# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A TBuf has no queue.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buf, 1024)
    t = buf.alloc_tensor(asc.float32)


kernel[1](np.zeros(64, np.float32), 3)
