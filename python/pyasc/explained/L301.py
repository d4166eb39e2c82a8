# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)

# %% wrong: tensors of the device exist in kernels only
x_gm = asc.GlobalTensor()
x_gm.set_global_buffer(x, 64)
x_gm.set_value(0, 1.0)


# %% right: the same in a kernel, which is launched
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    x_gm.set_value(0, 1.0)


kernel[1](x)
assert x[0] == 1
