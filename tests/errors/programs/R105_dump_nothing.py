# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A dump of no elements.
import asc


@asc.jit
def kernel():
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    asc.dump_tensor(tile, 1, 0)


kernel[1]()
