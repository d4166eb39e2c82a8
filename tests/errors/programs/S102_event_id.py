# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Ids are 0 to 7.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    asc.set_flag(asc.HardEvent.MTE2_V, n)


kernel[1](np.zeros(64, np.float32), 8)
