# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc


# %% wrong: rounding to odd is for float16
@asc.jit
def kernel(x: float):
    n = asc.scalar_cast(x, asc.int32, asc.RoundMode.CAST_ODD)
    assert n == 2


kernel[1](1.5)


# %% right: to an int, to the nearest
@asc.jit
def kernel(x: float):
    n = asc.scalar_cast(x, asc.int32, asc.RoundMode.CAST_RINT)
    assert n == 2


kernel[1](1.5)
