# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the hook gets is decided while compiling.
import asc


@asc.jit
def kernel(n: int):
    breakpoint(n)


kernel[1](4)
