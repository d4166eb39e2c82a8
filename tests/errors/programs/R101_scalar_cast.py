# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The scalar unit converts to two types.
import asc


@asc.jit
def kernel(x: float):
    n = asc.scalar_cast(x, asc.int16, asc.RoundMode.CAST_RINT)
    print(n)


kernel[1](1.5)
