# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The offset into a TBuf is in bytes, in blocks of 32.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buf, 1024)
    t = buf.get_with_offset(8, 8, asc.float32)


kernel[1](np.zeros(64, np.float32), 3)
