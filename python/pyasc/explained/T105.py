# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.float32)


# %% wrong: NumPy's float64 keeps its type
@asc.jit
def kernel(x: asc.GlobalAddress, scale):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, scale + 1.0)


kernel[1](x, np.float64(1.5))


# %% right: computed in float32
@asc.jit
def kernel(x: asc.GlobalAddress, scale):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, scale.cast(asc.float32) + 1.0)


kernel[1](x, np.float64(1.5))
assert x[0] == 2.5
