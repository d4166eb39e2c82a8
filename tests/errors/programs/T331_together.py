# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Each fits, both together do not.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.array(asc.int32, 2048)
    b = asc.array(asc.float32, 4096)
    a[n] = 1
    b[n] = 1.0
    x_gm.set_value(0, a[n])


kernel[1](np.zeros(64, np.int32), 8)
