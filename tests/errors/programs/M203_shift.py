# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An int32 has 32 bits.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, 1 << n)


kernel[1](np.zeros(8, np.int32), 32)
