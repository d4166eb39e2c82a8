# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc


# %% wrong: 32 KiB
@asc.jit
def kernel():
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 8192)
    asc.duplicate(tile, 1.0, 8192)
    asc.dump_tensor(tile, 1, 8192)


kernel[1]()


# %% right: in two parts
@asc.jit
def kernel():
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 8192)
    asc.duplicate(tile, 1.0, 8192)
    asc.dump_tensor(tile, 1, 4096)
    asc.dump_tensor(tile[4096:], 2, 4096)


kernel[1]()
