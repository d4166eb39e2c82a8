# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The annotation says how wide the number is.
import asc


@asc.jit
def kernel(repeats: asc.uint8):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)


kernel[1](256)
