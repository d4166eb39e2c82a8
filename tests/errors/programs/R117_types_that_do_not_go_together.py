# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sums of float32 become float16; int8 is for those of float16 and int16.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    single = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    byte = asc.LocalTensor(asc.int8, asc.TPosition.VECCALC, 1024, 64)
    asc.add_relu_cast(byte, single, single, 64)


kernel[1](np.zeros(64, np.float32))
