# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: the lambda uses `low`, which `store` does not have
@asc.jit
def store(x_gm, value_of):
    for i in range(8):
        x_gm.set_value(i, value_of(i))


@asc.jit
def kernel(x: asc.GlobalAddress, low: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    store(x_gm, lambda i: low + i)


kernel[1](x, 5)


# %% right: a function of the module, which gets all it needs
@asc.jit
def store(x_gm, low, value_of):
    for i in range(8):
        x_gm.set_value(i, value_of(low, i))


@asc.jit
def add(low, i):
    return low + i


@asc.jit
def kernel(x: asc.GlobalAddress, low: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    store(x_gm, low, add)


kernel[1](x, 5)
assert (x == 5 + np.arange(8)).all()
