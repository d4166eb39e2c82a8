# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: the pad value is for copies to the unified buffer
@asc.jit
def kernel(x: asc.GlobalAddress):
    asc.set_pad_value(1.0, asc.TPosition.A1)


kernel[1](x)


# %% right: it needs no position
@asc.jit
def kernel(x: asc.GlobalAddress):
    asc.set_pad_value(1.0)


kernel[1](x)
