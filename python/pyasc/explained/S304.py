# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(32, np.float32)


# %% wrong: neighbouring elements share a line of 64 bytes
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 32)
    x_gm.set_value(asc.get_block_idx(), 2.0)


kernel[2](x)


# %% right: a line for each block
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 32)
    x_gm.set_value(16 * asc.get_block_idx(), 2.0)


kernel[2](x)
assert x[0] == x[16] == 2
