# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A mask register in normal mode is about one repeat.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    asc.set_vector_mask(65, dtype=asc.float32, mode=asc.MaskMode.NORMAL)


kernel[1](np.zeros(64, np.float32))
