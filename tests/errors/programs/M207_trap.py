# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The kernel stops itself.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    if n > 1:
        asc.trap()


kernel[1](np.zeros(64, np.float32), 3)
