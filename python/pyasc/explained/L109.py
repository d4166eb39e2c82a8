# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: a function that calls itself
@asc.jit
def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, factorial(n))


kernel[1](x, 5)


# %% right: a loop
@asc.jit
def factorial(n):
    product = 1
    for i in range(2, n + 1):
        product *= i
    return product


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, factorial(n))


kernel[1](x, 5)
assert x[0] == 120
