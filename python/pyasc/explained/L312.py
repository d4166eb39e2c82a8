# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: the lambda uses `low` of a function that has ended
@asc.jit
def from_low(low):
    return lambda i: low + i


@asc.jit
def kernel(x: asc.GlobalAddress, low: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    value_of = from_low(low)
    for i in range(8):
        x_gm.set_value(i, value_of(i))


kernel[1](x, 5)


# %% right: an object keeps the value for its methods
class FromLow:
    @asc.jit
    def __init__(self, low):
        self.low = low

    @asc.jit
    def value_of(self, i):
        return self.low + i


@asc.jit
def kernel(x: asc.GlobalAddress, low: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    counter = FromLow(low)
    for i in range(8):
        x_gm.set_value(i, counter.value_of(i))


kernel[1](x, 5)
assert (x == 5 + np.arange(8)).all()
