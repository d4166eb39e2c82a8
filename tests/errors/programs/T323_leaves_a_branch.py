# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Which of the two tensors it is, and how large, is known at run time only.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    if n > 64:
        t = asc.LocalTensorAuto(asc.float32, n)
    else:
        t = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(t, 0.0, 64)


kernel[1](np.zeros(64, np.float32), 64)
