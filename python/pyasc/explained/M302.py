# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float16)


# %% wrong: add_deq_relu leaves intermediate results in its sources
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensorAuto(asc.int32, 64)
    b = asc.LocalTensorAuto(asc.int32, 64)
    sums = asc.LocalTensorAuto(asc.float16, 64)
    asc.duplicate(a, 1, 64)
    asc.duplicate(b, 2, 64)
    asc.set_deq_scale(0.5)
    asc.add_deq_relu(sums, a, b, 64)
    asc.adds(a, a, 1, 64)
    asc.data_copy(x_gm, sums, 64)


kernel[1](x)


# %% right: a source that is needed later is kept elsewhere
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensorAuto(asc.int32, 64)
    b = asc.LocalTensorAuto(asc.int32, 64)
    sums = asc.LocalTensorAuto(asc.float16, 64)
    asc.duplicate(a, 1, 64)
    asc.duplicate(b, 2, 64)
    asc.set_deq_scale(0.5)
    kept = asc.LocalTensorAuto(asc.int32, 64)
    asc.adds(kept, a, 1, 64)
    asc.add_deq_relu(sums, a, b, 64)
    asc.data_copy(x_gm, sums, 64)


kernel[1](x)
assert (x == 1.5).all()
