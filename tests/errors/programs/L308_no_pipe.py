# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# get_tpipe_ptr() gives a TPipe that was made before.
import asc
import numpy as np


@asc.jit
def reset():
    asc.get_tpipe_ptr().reset()


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    reset()


kernel[1](np.zeros(64, np.float32), 3)
