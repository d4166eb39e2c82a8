# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x, y = np.ones(8, np.float32), np.ones(8, np.float32)


# %% wrong: any number of parameters
@asc.jit
def clear_first(*arrays):
    for array in arrays:
        gm = asc.GlobalTensor()
        gm.set_global_buffer(array, 8)
        gm.set_value(0, 0.0)


clear_first[1](x, y)


# %% right: a name for each
@asc.jit
def clear_first(x: asc.GlobalAddress, y: asc.GlobalAddress):
    for array in (x, y):
        gm = asc.GlobalTensor()
        gm.set_global_buffer(array, 8)
        gm.set_value(0, 0.0)


clear_first[1](x, y)
assert x[0] == y[0] == 0 and x[1:].all() and y[1:].all()
