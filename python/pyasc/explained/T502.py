# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: two conversions, one value
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    asc.printf("block %d of %d\n", n)


kernel[1](x, 1)


# %% right: a value for each
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    asc.printf("block %d of %d\n", asc.get_block_idx(), n)


kernel[1](x, 1)
