# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A run-time size is less than none.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, count: int):
    pipe = asc.TPipe()
    buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buf, 256)
    tile = buf.get(asc.float32, count)


kernel[1](np.zeros(64, np.float32), -8)
