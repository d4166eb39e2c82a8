# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: both give out the unified buffer from its start
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    allocator = asc.LocalMemAllocator(asc.Hardware.UB)
    twos = allocator.alloc(asc.TPosition.VECCALC, asc.float32, 64)
    asc.duplicate(twos, 2.0, 64)


kernel[1](x)


# %% right: the TPipe gives out all of it
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, 256)
    twos = buffer.get(asc.float32)
    asc.duplicate(twos, 2.0, 64)


kernel[1](x)
