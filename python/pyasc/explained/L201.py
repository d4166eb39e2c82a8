# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

FACTORS = [1, 3]
x = np.zeros(8, np.int32)


# %% wrong: there is no FACTORS[2]
@asc.jit
def kernel(x: asc.GlobalAddress, which: asc.ConstExpr[int]):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, FACTORS[which])


kernel[1](x, 2)


# %% right: an index that the list has
@asc.jit
def kernel(x: asc.GlobalAddress, which: asc.ConstExpr[int]):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, FACTORS[which])


kernel[1](x, 1)
assert x[0] == 3
