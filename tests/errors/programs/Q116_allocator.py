# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A tensor of 12 bytes leaves the next one misaligned.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    allocator = asc.LocalMemAllocator()
    first = allocator.alloc(asc.TPosition.VECCALC, asc.float32, 3)
    second = allocator.alloc(asc.TPosition.VECCALC, asc.float32, 8)


kernel[1](np.zeros(64, np.float32))
