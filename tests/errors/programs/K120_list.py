# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A list in the place of an array.
import asc


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    g = asc.GlobalTensor()
    g.set_global_buffer(x, 8)


kernel[1]([1, 2, 3], 1)
