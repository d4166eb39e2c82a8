# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# More than 64 signed bits.
import asc


@asc.jit
def kernel(x):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)


kernel[1](1 << 63)
