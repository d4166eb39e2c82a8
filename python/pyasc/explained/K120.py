# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.float32)


# %% wrong: a string is no run-time value
@asc.jit
def kernel(x: asc.GlobalAddress, mode):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, 1.0 if mode == "one" else 2.0)


kernel[1](x, "one")


# %% right: the value is known when the kernel is compiled
@asc.jit
def kernel(x: asc.GlobalAddress, mode: asc.ConstExpr[str]):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, 1.0 if mode == "one" else 2.0)


kernel[1](x, "one")
assert x[0] == 1
