# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A flag is one bit.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)


kernel[1](np.zeros(64, np.float32))
