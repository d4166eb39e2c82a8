# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc


# %% wrong: element 4 is at byte 16
@asc.jit
def kernel():
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    asc.dump_acc_chk_point(tile, 1, 4, 8)


kernel[1]()


# %% right: from a multiple of 8 elements on
@asc.jit
def kernel():
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    asc.dump_acc_chk_point(tile, 1, 0, 12)


kernel[1]()
