# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    for i in range(n):
        last = x_gm.get_value(i)
    x_gm.set_value(0, last)


kernel[1](np.zeros(8, np.int32), 5)
