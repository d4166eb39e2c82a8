# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The tensor has the name that the kernel gives it.
import asc


@asc.jit
def tile(i):
    return asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 1024 * i, 64)


@asc.jit
def second_tile():
    return tile(1)


@asc.jit(auto_sync=False)
def kernel():
    sums = second_tile()
    asc.duplicate(sums, 5.0, 64)
    sums.set_value(3, 1.0)


kernel[1]()
