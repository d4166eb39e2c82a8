# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The compiler cannot know which bytes are taken.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, address: int):
    a = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, address, 64)
    b = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(a, 0.0, 64)
    asc.adds(b, a, 1.0, 64)


kernel[1](np.zeros(64, np.float32), 1024)
