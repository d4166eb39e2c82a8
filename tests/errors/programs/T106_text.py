# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A text with run-time values is compared.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    g = asc.GlobalTensor()
    g.set_global_buffer(x, 8)
    g.set_value(0, 1 if f"{n}" == "3" else 0)


kernel[1](np.zeros(8, np.float32), 1)
