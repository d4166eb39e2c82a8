# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: the device has no %e
@asc.jit
def kernel(x: asc.GlobalAddress, scale: float):
    asc.printf("scale is %e\n", scale)


kernel[1](x, 0.5)


# %% right: %f
@asc.jit
def kernel(x: asc.GlobalAddress, scale: float):
    asc.printf("scale is %f\n", scale)


kernel[1](x, 0.5)
