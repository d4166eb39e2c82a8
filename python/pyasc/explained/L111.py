# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: the methods of the class are not compiled
class Finally:
    def __init__(self, x_gm):
        self.x_gm = x_gm

    def __enter__(self):
        pass

    def __exit__(self, kind, value, trace):
        self.x_gm.set_value(7, -1)


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    with Finally(x_gm):
        if n > 0:
            return
        x_gm.set_value(0, n)


kernel[1](x, 5)


# %% right: they have the decorator
class Finally:
    def __init__(self, x_gm):
        self.x_gm = x_gm

    @asc.jit
    def __enter__(self):
        pass

    @asc.jit
    def __exit__(self, kind, value, trace):
        self.x_gm.set_value(7, -1)


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    with Finally(x_gm):
        if n > 0:
            return
        x_gm.set_value(0, n)


kernel[1](x, 5)
assert x[0] == 0 and x[7] == -1
