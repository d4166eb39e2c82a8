# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel that `pyasc doctor` runs."""

import asc


@asc.jit(always_compile=True)
def double(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + asc.get_block_idx() * 64, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.add(tile, tile, tile, 64)
    asc.data_copy(x_gm, tile, 64)
