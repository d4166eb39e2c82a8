# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two blocks write neighbouring words through the data cache.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    x_gm.set_value(asc.get_block_idx(), 1.0)


kernel[2](np.zeros(64, np.float32))
