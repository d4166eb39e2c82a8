# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np


@asc.jit
def scale(x: asc.GlobalAddress, factor: float):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(x.dtype, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.muls(tile, tile, factor, 64)
    asc.data_copy(x_gm, tile, 64)


scale[1](np.ones(64, np.float32), 2.5)  # nothing to say
scale[1](np.ones(64, np.int32), 2.5)
