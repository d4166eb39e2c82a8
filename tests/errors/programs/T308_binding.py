# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# No pipe copies from the accumulators to the unified buffer.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    q = asc.TQueBind(asc.TPosition.CO1, asc.TPosition.VECIN, 1)


kernel[1](np.zeros(64, np.float32), 3)
