# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# More than the unified buffer holds.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    asc.duplicate(asc.LocalTensorAuto(asc.int16, (400, 256)), 0, 64)


kernel[1](np.zeros(64, np.int16))
