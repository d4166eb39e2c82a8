# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import torch


@asc.jit
def fill(x: asc.GlobalAddress, value: float):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, value, 64)
    asc.data_copy(x_gm, tile, 64)


# %% wrong: a tensor without data in host memory
fill[1](torch.zeros(64, device="meta"), 2.0)

# %% right: a dense tensor of the CPU
x = torch.zeros(64)
fill[1](x, 2.0)
assert (x == 2).all()
