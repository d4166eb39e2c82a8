# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# float64 is for storage.
import asc
import numpy as np


@asc.jit
def kernel(a):
    b = a + 1.0


kernel[1](np.float64(1.0))
