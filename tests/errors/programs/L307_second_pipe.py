# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A kernel has one TPipe.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    other = asc.TPipe()


kernel[1](np.zeros(64, np.float32), 3)
