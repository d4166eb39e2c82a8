"""Simulated time of the kernel, which is that of the chip as far as public facts go, and the time that simulating takes here."""

import time

import numpy as np
from my_kernel import my_kernel, run

for n in [10_000, 1_000_000, 10_000_000]:
    x = np.ones(n, np.float32)
    run(x, 2.0, 1.0)  # compiles
    start = time.perf_counter()
    run(x, 2.0, 1.0)
    here = time.perf_counter() - start
    launch = my_kernel.last_launch
    moved = launch.gm_read_bytes + launch.gm_written_bytes
    rate = moved / launch.microseconds / 1000
    print(f"{n:>10} elements {launch.microseconds:>8.1f} us on the chip, {rate:>5.0f} GB/s {here * 1e3:>8.2f} ms here")
