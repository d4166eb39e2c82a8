# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# No type holds both.
import asc
import numpy as np


@asc.jit
def kernel(a, b):
    n = a + b


kernel[1](np.int64(1), np.uint64(2))
