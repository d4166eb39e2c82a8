# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: the TBuf ends with the function that makes it
@asc.jit
def scratch(pipe):
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, 256)
    return buffer


@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    buffer = scratch(pipe)
    twos = buffer.get(asc.float32)
    asc.duplicate(twos, 2.0, 64)


kernel[1](x)


# %% right: the caller makes it
@asc.jit
def scratch(pipe, buffer):
    pipe.init_buffer(buffer, 256)


@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    scratch(pipe, buffer)
    twos = buffer.get(asc.float32)
    asc.duplicate(twos, 2.0, 64)


kernel[1](x)
