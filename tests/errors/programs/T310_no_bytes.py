# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A buffer has at least a byte.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buf, 0)


kernel[1](np.zeros(64, np.float32), 3)
