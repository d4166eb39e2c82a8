# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

FACTORS = [2, 3, 5]
x = np.zeros(8, np.int32)


# %% wrong: the list exists while compiling, `which` is known later
@asc.jit
def kernel(x: asc.GlobalAddress, which: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, FACTORS[which])


kernel[1](x, 2)


# %% right: known when the kernel is compiled
@asc.jit
def kernel(x: asc.GlobalAddress, which: asc.ConstExpr[int]):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, FACTORS[which])


kernel[1](x, 2)
assert x[0] == 5
