# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The class of a run-time value makes none by itself.
import asc
import numpy as np


class Zero:
    def __init__(self, like):
        self.value = type(like)()


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    zero = Zero(n)


kernel[1](np.zeros(64, np.float32), 3)
