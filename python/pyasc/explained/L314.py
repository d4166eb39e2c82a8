# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from dataclasses import dataclass

import asc
import numpy as np

x = np.zeros(64, np.int32)


@dataclass(frozen=True)
class Tile:
    rows: int
    columns: int


# %% wrong: a Tile does not change
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = Tile(4, 8)
    tile.rows = n
    x_gm.set_value(0, tile.rows * tile.columns)


kernel[1](x, 2)


# %% right: another Tile
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = Tile(4, 8)
    tile = Tile(n, tile.columns)
    x_gm.set_value(0, tile.rows * tile.columns)


kernel[1](x, 2)
assert x[0] == 16
