# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An int as a float.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    asc.printf("n is %f\n", n)


kernel[1](np.zeros(64, np.float32), 3)
