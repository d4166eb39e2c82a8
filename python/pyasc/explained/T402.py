# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: region proposals belong to other chips
@asc.jit
def kernel(x: asc.GlobalAddress):
    sorted = asc.LocalTensorAuto(asc.float32, 128)
    proposals = asc.LocalTensorAuto(asc.float32, 128)
    asc.rp_sort16(sorted, proposals, 1)


kernel[1](x)


# %% right: these sort records of a score and an index
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    records = asc.LocalTensorAuto(asc.float32, 64)
    scores = asc.LocalTensorAuto(asc.float32, 32)
    index = asc.LocalTensorAuto(asc.uint32, 32)
    asc.duplicate(scores, 2.0, 32)
    asc.duplicate(index, 7, 32)
    asc.sort32(records, scores, index, 1)
    asc.data_copy(x_gm, records, 64)


kernel[1](x)
assert x[0] == 2 and x.view(np.uint32)[1] == 7
