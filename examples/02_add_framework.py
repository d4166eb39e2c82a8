# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lesson 2: z = x + y again, and the framework keeps the flags and addresses.

Lesson 1 placed every tensor and set every flag by hand. `TPipe` and `TQue` do both:

    pipe.init_buffer(queue, 2, bytes)   two buffers for the queue, where there is room in the unified buffer
    queue.alloc_tensor(dtype)           a buffer that is free: waits until its last user has freed it
    queue.enque(tensor)                 the tensor is complete: sets a flag on the pipe that filled it
    queue.deque(dtype)                  the oldest tensor in the queue: the pipe that uses it waits for that flag
    queue.free_tensor(tensor)           the tensor is not needed any more: sets the flag that alloc_tensor waits for

A queue at VECIN lies between MTE2 (copy in) and V (compute), one at VECOUT between V and MTE3 (copy out). With two buffers each, copies
and computation overlap as in lesson 1.

The three stages are device functions: functions with @asc.jit that a kernel calls. Queues and tensors are passed to them like anything
else.
"""

import asc
import numpy as np

TILE = 4096  # elements of a tile
BUFFERS = 2  # per queue
CORES = 8


@asc.jit
def copy_in(i: int, x_gm: asc.GlobalTensor, y_gm: asc.GlobalTensor, x_queue: asc.TQue, y_queue: asc.TQue) -> None:
    x = x_queue.alloc_tensor(asc.float32)
    y = y_queue.alloc_tensor(asc.float32)
    asc.data_copy(x, x_gm[i * TILE], TILE)
    asc.data_copy(y, y_gm[i * TILE], TILE)
    x_queue.enque(x)
    y_queue.enque(y)


@asc.jit
def compute(x_queue: asc.TQue, y_queue: asc.TQue, z_queue: asc.TQue) -> None:
    x = x_queue.deque(asc.float32)
    y = y_queue.deque(asc.float32)
    z = z_queue.alloc_tensor(asc.float32)
    asc.add(z, x, y, TILE)
    z_queue.enque(z)
    x_queue.free_tensor(x)
    y_queue.free_tensor(y)


@asc.jit
def copy_out(i: int, z_gm: asc.GlobalTensor, z_queue: asc.TQue) -> None:
    z = z_queue.deque(asc.float32)
    asc.data_copy(z_gm[i * TILE], z, TILE)
    z_queue.free_tensor(z)


@asc.jit
def add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int, buffers: asc.ConstExpr[int] = BUFFERS) -> None:
    share = n // asc.get_block_num()
    start = share * asc.get_block_idx()
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + start, share)
    y_gm.set_global_buffer(y + start, share)
    z_gm.set_global_buffer(z + start, share)

    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    y_queue = asc.TQue(asc.TPosition.VECIN, 1)
    z_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    tile_bytes = TILE * x.dtype.sizeof()
    pipe.init_buffer(x_queue, buffers, tile_bytes)
    pipe.init_buffer(y_queue, buffers, tile_bytes)
    pipe.init_buffer(z_queue, buffers, tile_bytes)

    for i in range(share // TILE):
        copy_in(i, x_gm, y_gm, x_queue, y_queue)
        compute(x_queue, y_queue, z_queue)
        copy_out(i, z_gm, z_queue)


def main() -> None:
    n = CORES * TILE * 16  # the lesson leaves out the tail: a whole number of tiles for every core
    rng = np.random.default_rng(0)
    x = rng.standard_normal(n, dtype=np.float32)
    y = rng.standard_normal(n, dtype=np.float32)
    for buffers in [1, 2]:
        z = np.zeros_like(x)
        add[CORES](x, y, z, n, buffers)
        np.testing.assert_array_equal(z, x + y)
        print(f"{n} sums are right, buffers per queue: {buffers}; {add.last_launch.cycles} simulated cycles")


if __name__ == "__main__":
    main()
