# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Three are to meet, and there are two.
import asc
import numpy as np


@asc.jit
def kernel(words: asc.GlobalAddress):
    words_gm = asc.GlobalTensor()
    words_gm.set_global_buffer(words, 64)
    scratch = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 128)
    asc.sync_all(words_gm, scratch, 3)


kernel[2](np.zeros(64, np.int32))
