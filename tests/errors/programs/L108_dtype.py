# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A dtype is no function that converts.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    scale = asc.float32(n)


kernel[1](np.zeros(64, np.float32), 3)
