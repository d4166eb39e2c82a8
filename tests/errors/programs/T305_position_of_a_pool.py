# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Pools are in the unified buffer and in L1.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pool = asc.TBufPool(asc.TPosition.CO1, 4)


kernel[1](np.zeros(64, np.float32), 3)
