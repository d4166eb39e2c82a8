# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tensors of the unified buffer start at a multiple of 32 bytes.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 20, 64)


kernel[1](np.zeros(64, np.float32))
