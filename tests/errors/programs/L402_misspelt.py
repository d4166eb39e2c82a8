# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A method with a letter missing.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_globl_buffer(x, 64)


kernel[1](np.zeros(64, np.float16))
