# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The vector core has no MTE1.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    asc.set_flag(asc.HardEvent.MTE2_MTE1, 0)


kernel[1](np.zeros(64, np.float32))
