# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.uint8)


# %% wrong: there are two contexts, 0 and 1
@asc.jit
def kernel(x: asc.GlobalAddress):
    asc.set_hccl_context(2, x)


kernel[1](x)


# %% right: context 1 is the second of the two
@asc.jit
def kernel(x: asc.GlobalAddress):
    asc.set_hccl_context(1, x)


kernel[1](x)
