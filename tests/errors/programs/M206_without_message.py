# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The report shows the values in the condition.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    count = n * 3
    assert count % 8 == 0 and n > 0


kernel[1](np.zeros(64, np.float32), 3)
