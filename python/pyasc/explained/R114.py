# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: a repeat has 64 elements of float32
@asc.jit
def kernel(x: asc.GlobalAddress):
    asc.set_vector_mask(128, dtype=asc.float32, mode=asc.MaskMode.NORMAL)


kernel[1](x)


# %% right: counter mode counts as many as are needed
@asc.jit
def kernel(x: asc.GlobalAddress):
    asc.set_mask_count()
    asc.set_vector_mask(128, dtype=asc.float32, mode=asc.MaskMode.COUNTER)
    asc.set_mask_norm()


kernel[1](x)
