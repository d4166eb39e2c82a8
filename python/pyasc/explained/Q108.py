# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: an id for each of nine rounds
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    for i in range(9):
        number = pipe.alloc_event_id(asc.HardEvent.MTE2_V)
        asc.set_flag(asc.HardEvent.MTE2_V, number)
        asc.wait_flag(asc.HardEvent.MTE2_V, number)


kernel[1](x)


# %% right: given back at the end of the round
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    for i in range(9):
        number = pipe.alloc_event_id(asc.HardEvent.MTE2_V)
        asc.set_flag(asc.HardEvent.MTE2_V, number)
        asc.wait_flag(asc.HardEvent.MTE2_V, number)
        pipe.release_event_id(number, asc.HardEvent.MTE2_V)


kernel[1](x)
