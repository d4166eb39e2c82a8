# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)
x.view(np.uint32)[1::2] = np.arange(32)
x[:64:2] = [*range(16, 0, -1), *range(32, 16, -1)]


# %% wrong: 15 stands for four lists, and there are two
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    lists = asc.LocalTensorAuto(asc.float32, 64)
    merged = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(lists, x_gm, 64)
    asc.mrg_sort(merged, asc.MrgSortSrcList(asc.float32, lists, lists[32]), asc.MrgSort4Info([16, 16, 0, 0], False, 15, 1))
    asc.data_copy(x_gm, merged, 64)


kernel[1](x)


# %% right: 3 for the first two
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    lists = asc.LocalTensorAuto(asc.float32, 64)
    merged = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(lists, x_gm, 64)
    asc.mrg_sort(merged, asc.MrgSortSrcList(asc.float32, lists, lists[32]), asc.MrgSort4Info([16, 16, 0, 0], False, 3, 1))
    asc.data_copy(x_gm, merged, 64)


kernel[1](x)
assert x[0] == 32 and x[62] == 1
