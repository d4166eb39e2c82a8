# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.arange(64, dtype=np.float32)


# %% wrong: what the text does is not known
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.inline("Muls($0, $0, 2.0f, 64);", (tile,))
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)


# %% right: the function itself
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.muls(tile, tile, 2.0, 64)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)
assert (x == 2 * np.arange(64)).all()
