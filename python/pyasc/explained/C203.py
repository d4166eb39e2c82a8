# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

import asc
import numpy as np


@asc.jit
def fill(x: asc.GlobalAddress, value: float):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, value, 64)
    asc.data_copy(x_gm, tile, 64)


x = np.zeros(64, np.float32)

# %% wrong: no folder can be made there
os.environ["PYASC_DUMP_PATH"] = "/dev/null/dumps"
fill[1](x, 2.0)

# %% right: a folder that can be written
os.environ["PYASC_DUMP_PATH"] = "dumps"
fill[1](x, 2.0)
assert (x == 2).all()
