# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: no parameter has this name
@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, length=64)
    asc.duplicate(tile, 2.0, 64)


kernel[1](x)


# %% right: the names are in the help line
@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, tile_size=64)
    asc.duplicate(tile, 2.0, 64)


kernel[1](x)
