# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Block 1 is to read before block 0 writes: nothing makes block 0 wait.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 16)
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 16)
    if asc.get_block_idx() == 1:
        asc.data_copy(tile, x_gm, 16)
    else:
        asc.duplicate(tile, 7, 16)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(x_gm, tile, 16)
    asc.sync_all()


kernel[2](np.zeros(16, np.int32))
