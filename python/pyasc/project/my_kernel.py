"""y = scale * x + shift for float32 vectors of any length, in tiles of one core's memory."""

import asc
import numpy as np

TILE = 4096  # elements in on-chip memory at a time
CORES = 8


@asc.jit
def my_kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, scale: float, shift: float, n: int) -> None:
    share = asc.ceildiv(n, asc.get_block_num())  # elements of this core
    start = share * asc.get_block_idx()
    mine = max(0, min(share, n - start))
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + start, mine)
    y_gm.set_global_buffer(y + start, mine)

    for i in range(0, mine, TILE):
        count = min(TILE, mine - i)
        tile = asc.LocalTensorAuto(asc.float32, TILE)  # the compiler chooses its place and inserts the flags
        copy = asc.DataCopyExtParams(1, count * tile.dtype.sizeof(), 0, 0, 0)
        asc.data_copy_pad(tile, x_gm[i], copy, asc.DataCopyPadExtParams(tile.dtype, False, 0, 0, 0))
        asc.muls(tile, tile, scale, count)
        asc.adds(tile, tile, shift, count)
        asc.data_copy_pad(y_gm[i], tile, copy)


def run(x: np.ndarray, scale: float, shift: float) -> np.ndarray:
    y = np.empty_like(x)
    my_kernel[CORES](x, y, scale, shift, len(x))
    return y


if __name__ == "__main__":
    x = np.arange(10_000, dtype=np.float32)
    y = run(x, 2.0, 1.0)
    print(y[:4], "...", f"{my_kernel.last_launch.cycles} simulated cycles")
