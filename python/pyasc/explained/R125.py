# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc


# %% wrong: the memory in front of the matrix unit
@asc.jit
def kernel():
    tile = asc.LocalTensor(asc.float16, asc.TPosition.A2, 0, 64)
    asc.dump_tensor(tile, 1, 16)


kernel[1]()


# %% right: the unified buffer
@asc.jit
def kernel():
    tile = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    asc.dump_tensor(tile, 1, 16)


kernel[1]()
