# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Scalar code runs in order: the device has no barrier for it.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    asc.pipe_barrier(asc.PipeID.PIPE_S)


kernel[1](np.zeros(64, np.float32))
