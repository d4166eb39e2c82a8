# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An argument is missing, and another one has a keyword that is no parameter.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    g = asc.GlobalTensor()
    g.set_global_buffer(x, 8)


kernel[1](np.zeros(8, np.float32), m=1)
