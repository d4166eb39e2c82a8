# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A parameter with a star takes what is left over, so the others after it are keywords.
import asc
import numpy as np


@asc.jit
def largest(first, *others, scale):
    return max(first, *others) * scale


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    m = largest(n, 2, 3)


kernel[1](np.zeros(64, np.float32), 3)
