# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Block 1 does not call notify_next_block.
import asc
import numpy as np


@asc.jit
def kernel(words: asc.GlobalAddress):
    words_gm = asc.GlobalTensor()
    words_gm.set_global_buffer(words, 64)
    scratch = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 128)
    scratch.set_value(8 * 4, 1)  # the number of the round
    asc.sync_all()
    asc.wait_pre_block(words_gm, scratch)
    if asc.get_block_idx() != 1:
        asc.notify_next_block(words_gm, scratch)


kernel[4](np.zeros(64, np.int32))
