# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The function stands at another place in the program of the device, where there is no `low`.
import asc
import numpy as np


@asc.jit
def fill(tile, value_of):
    asc.duplicate(tile, value_of(2), 64)


@asc.jit
def kernel(x: asc.GlobalAddress, low: int):
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
    fill(tile, lambda i: low + i)


kernel[1](np.zeros(64, np.int32), 5)
