# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Block 0 sets event 0, and block 1 waits for event 1.
import asc
import numpy as np


@asc.jit
def kernel(words: asc.GlobalAddress):
    words_gm = asc.GlobalTensor()
    words_gm.set_global_buffer(words, 64)
    scratch = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 128)
    if asc.get_block_idx() == 0:
        asc.ib_set(words_gm, scratch, 0, 0)
    else:
        asc.ib_wait(words_gm, scratch, 0, 1)


kernel[2](np.zeros(64, np.int32))
