# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)

# %% wrong: the loop would not move
STEP = 0


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    total = 0
    for i in range(0, n, STEP):
        total += i
    x_gm.set_value(0, total)


kernel[1](x, 8)

# %% right: any step but 0
STEP = 2


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    total = 0
    for i in range(0, n, STEP):
        total += i
    x_gm.set_value(0, total)


kernel[1](x, 8)
assert x[0] == 12
