# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.int32)


# %% wrong: what set_value stores is in the cache, and the copy reads memory
@asc.jit
def kernel(x: asc.GlobalAddress, out: asc.GlobalAddress):
    x_gm, out_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    out_gm.set_global_buffer(out, 64)
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
    x_gm.set_value(0, 5)
    asc.set_flag(asc.HardEvent.S_MTE2, 0)
    asc.wait_flag(asc.HardEvent.S_MTE2, 0)
    asc.data_copy(tile, x_gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(out_gm, tile, 64)


kernel[1](x, np.zeros_like(x))


# %% right: the line goes back to memory before the copy
@asc.jit
def kernel(x: asc.GlobalAddress, out: asc.GlobalAddress):
    x_gm, out_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    out_gm.set_global_buffer(out, 64)
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
    x_gm.set_value(0, 5)
    asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT, x_gm)
    asc.set_flag(asc.HardEvent.S_MTE2, 0)
    asc.wait_flag(asc.HardEvent.S_MTE2, 0)
    asc.data_copy(tile, x_gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(out_gm, tile, 64)


kernel[1](x, np.zeros_like(x))
