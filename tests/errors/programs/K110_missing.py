# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A parameter without an argument.
import asc


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)


kernel[1]()
