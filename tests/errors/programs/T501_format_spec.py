# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# printf cannot centre.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    print(f"n is {n:^8}")


kernel[1](np.zeros(64, np.float32), 3)
