# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two thousand million and two thousand million are no int32.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, n + n)


kernel[1](np.zeros(8, np.int32), 2_000_000_000)
