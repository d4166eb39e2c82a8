# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.ones(64, np.float32)


# %% wrong: A1 is the memory in front of the cube
@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.A1, 0, 64)
    asc.duplicate(tile, 2.0, 64)


kernel[1](x)


# %% right: VECCALC is in the unified buffer
@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 2.0, 64)


kernel[1](x)
