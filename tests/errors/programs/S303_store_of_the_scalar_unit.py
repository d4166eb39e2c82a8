# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A flag of MTE3 does not wait for stores of S.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 16)
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 16)
    if asc.get_block_idx() == 0:
        x_gm.set_value(0, 7)
        asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT, x_gm)
    asc.cross_core_set_flag(0, 0, asc.PipeID.PIPE_MTE3)
    asc.cross_core_wait_flag(0, 0, asc.PipeID.PIPE_MTE3)
    if asc.get_block_idx() == 1:
        asc.data_copy(tile, x_gm, 16)


kernel[2](np.zeros(16, np.int32))
