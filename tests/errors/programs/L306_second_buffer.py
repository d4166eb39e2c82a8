# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A GlobalTensor of two branches has a fixed buffer.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    a = asc.GlobalTensor()
    a.set_global_buffer(x, 64)
    if n > 0:
        a = a[32]
    a.set_global_buffer(x, 64)


kernel[1](np.zeros(64, np.float32), 3)
