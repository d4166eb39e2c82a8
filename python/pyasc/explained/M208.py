# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.arange(64, dtype=np.float32)


# %% wrong: the folder does not exist
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm, 64)
    tile.to_file("no_such_folder/tile.bin")


kernel[1](x)


# %% right: the folder that the program runs in does
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    tile.to_file("tile.bin")


kernel[1](x)
assert (np.fromfile("tile.bin", np.float32) == x).all()
