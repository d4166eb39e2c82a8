# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    x_gm.set_value(0, 2.0)


x = np.zeros(64, np.float32)

# %% wrong: no folder can be made there
os.environ["PYASC_CACHE_DIR"] = "/dev/null/cache"
kernel[1](x)

# %% right: a folder that can be written
os.environ["PYASC_CACHE_DIR"] = "kernels"
kernel[1](x)
assert x[0] == 2
