# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An id is released twice.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    number = pipe.alloc_event_id(asc.HardEvent.MTE2_V)
    pipe.release_event_id(number, asc.HardEvent.MTE2_V)
    pipe.release_event_id(number, asc.HardEvent.MTE2_V)


kernel[1](np.zeros(64, np.float32))
