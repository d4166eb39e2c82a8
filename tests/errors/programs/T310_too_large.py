# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Four buffers of 64 KiB are more than the unified buffer.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    q = asc.TQue(asc.TPosition.VECIN, 2)
    pipe.init_buffer(q, 4, 65536)


kernel[1](np.zeros(64, np.float32), 3)
