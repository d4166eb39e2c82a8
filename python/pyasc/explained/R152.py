# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(256, np.float32)


# %% wrong: scores of float16 do not become records of float32
@asc.jit
def kernel(x: asc.GlobalAddress):
    records = asc.LocalTensorAuto(asc.float32, 64)
    scores = asc.LocalTensorAuto(asc.float16, 32)
    index = asc.LocalTensorAuto(asc.uint32, 32)
    asc.duplicate(scores, 1.0, 32)
    asc.duplicate(index, 5, 32)
    asc.sort32(records, scores, index, 1)


kernel[1](x)


# %% right: one type of scores
@asc.jit
def kernel(x: asc.GlobalAddress):
    records = asc.LocalTensorAuto(asc.float32, 64)
    scores = asc.LocalTensorAuto(asc.float32, 32)
    index = asc.LocalTensorAuto(asc.uint32, 32)
    asc.duplicate(scores, 1.0, 32)
    asc.duplicate(index, 5, 32)
    asc.sort32(records, scores, index, 1)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    asc.data_copy(x_gm, records, 64)


kernel[1](x)
assert x[62] == 1 and x.view(np.uint32)[63] == 5
