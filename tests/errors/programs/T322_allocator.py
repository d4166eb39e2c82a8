# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two who hand out the same memory.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    a = asc.LocalTensorAuto(asc.float32, 64)
    b = asc.LocalMemAllocator().alloc(asc.TPosition.VECCALC, asc.float32, 64)
    asc.duplicate(a, 0.0, 64)
    asc.adds(b, a, 1.0, 64)


kernel[1](np.zeros(64, np.float32))
