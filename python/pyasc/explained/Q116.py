# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: 12 bytes, so the next tensor would start at byte 12
@asc.jit
def kernel(x: asc.GlobalAddress):
    allocator = asc.LocalMemAllocator()
    first = allocator.alloc(asc.TPosition.VECCALC, asc.float32, 3)
    second = allocator.alloc(asc.TPosition.VECCALC, asc.float32, 8)
    asc.duplicate(second, 2.0, 8)


kernel[1](x)


# %% right: a whole block of 32 bytes
@asc.jit
def kernel(x: asc.GlobalAddress):
    allocator = asc.LocalMemAllocator()
    first = allocator.alloc(asc.TPosition.VECCALC, asc.float32, 8)
    second = allocator.alloc(asc.TPosition.VECCALC, asc.float32, 8)
    asc.duplicate(second, 2.0, 8)


kernel[1](x)
