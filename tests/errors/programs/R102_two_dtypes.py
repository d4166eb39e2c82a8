# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# add does not convert between element types.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    wide = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    narrow = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 256, 64)
    asc.add(wide, wide, narrow, 64)


kernel[1](np.zeros(64, np.float32))
