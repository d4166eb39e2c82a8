# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Nine ids of one event.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    for i in range(9):
        pipe.alloc_event_id(asc.HardEvent.MTE2_V)


kernel[1](np.zeros(64, np.float32))
