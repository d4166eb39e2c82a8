# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A LocalMemAllocator and a TPipe would hand out the same memory.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    allocator = asc.LocalMemAllocator(asc.Hardware.UB)


kernel[1](np.zeros(64, np.float32), 3)
