# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)

# %% wrong: the second kernel would use a value of the first
KEPT = []


class Keep:
    def __init__(self, value):
        KEPT.append(value)


@asc.jit
def kernel(x: asc.GlobalAddress, n: int, keep: asc.ConstExpr[bool]):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    if keep:
        Keep(n)
    x_gm.set_value(0, KEPT[0])


kernel[1](x, 3, True)
kernel[1](x, 3, False)


# %% right: every launch passes its values
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, n)


kernel[1](x, 3)
assert x[0] == 3
