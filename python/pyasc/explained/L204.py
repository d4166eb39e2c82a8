# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np


@asc.jit
def count(items):
    return len(items)


x = np.zeros(8, np.int32)


# %% wrong: a tuple in a tuple in a tuple ...
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    chain = ()
    for i in asc.static_range(300):
        chain = (i, chain)
    x_gm.set_value(0, count(chain))


kernel[1](x)


# %% right: one flat tuple
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    chain = ()
    for i in asc.static_range(300):
        chain = (*chain, i)
    x_gm.set_value(0, count(chain))


kernel[1](x)
assert x[0] == 300
