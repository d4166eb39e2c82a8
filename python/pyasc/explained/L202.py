# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

N = 1_100_000
x = np.zeros(8, np.int32)


# %% wrong: more than a million copies of the body
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    parity = 0
    for i in asc.static_range(N):
        parity = parity ^ i
    x_gm.set_value(0, parity)


kernel[1](x)


# %% right: a loop that runs on the device
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    parity = 0
    for i in range(N):
        parity = parity ^ i
    x_gm.set_value(0, parity)


kernel[1](x)
assert x[0] == np.bitwise_xor.reduce(np.arange(N))
