# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The assertion does not hold on every block.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    i = asc.get_block_idx()
    assert i < n, f"block {i} has no part of the array"


kernel[4](np.zeros(64, np.float32), 3)
