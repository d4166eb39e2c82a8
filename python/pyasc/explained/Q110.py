# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: 6 * 40000 bytes of 196608
@asc.jit
def kernel(x: asc.GlobalAddress, size: int):
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    y_queue = asc.TQue(asc.TPosition.VECIN, 1)
    z_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(x_queue, 2, size)
    pipe.init_buffer(y_queue, 2, size)
    pipe.init_buffer(z_queue, 2, size)


kernel[1](x, 40_000)


# %% right: 6 * 32000 bytes
@asc.jit
def kernel(x: asc.GlobalAddress, size: int):
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    y_queue = asc.TQue(asc.TPosition.VECIN, 1)
    z_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(x_queue, 2, size)
    pipe.init_buffer(y_queue, 2, size)
    pipe.init_buffer(z_queue, 2, size)


kernel[1](x, 32_000)
