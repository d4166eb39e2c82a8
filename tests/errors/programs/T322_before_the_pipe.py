# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# With a TPipe, the tensor is a part of its memory.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    t = asc.LocalTensorAuto(asc.float32, 64)
    pipe = asc.TPipe()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, 256)
    asc.duplicate(t, 0.0, 64)


kernel[1](np.zeros(64, np.float32))
