# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)

# %% wrong: an object carries the value of a round out of its loop
KEPT = []


class Keep:
    def __init__(self, value):
        KEPT.append(value)


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    for i in range(n):
        Keep(i)
    x_gm.set_value(0, KEPT[0])


kernel[1](x, 3)


# %% right: a variable does
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    last = 0
    for i in range(n):
        last = i
    x_gm.set_value(0, last)


kernel[1](x, 3)
assert x[0] == 2
