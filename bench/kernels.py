# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that only the measurements need. Example 01 is measured too, as it stands."""

import asc


@asc.jit
def nothing_3(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress):
    """What a launch costs when there is nothing to simulate."""


@asc.jit
def nothing_19(
    a0: asc.GlobalAddress,
    a1: asc.GlobalAddress,
    a2: asc.GlobalAddress,
    a3: asc.GlobalAddress,
    a4: asc.GlobalAddress,
    a5: asc.GlobalAddress,
    a6: asc.GlobalAddress,
    a7: asc.GlobalAddress,
    a8: asc.GlobalAddress,
    a9: asc.GlobalAddress,
    a10: asc.GlobalAddress,
    a11: asc.GlobalAddress,
    a12: asc.GlobalAddress,
    a13: asc.GlobalAddress,
    a14: asc.GlobalAddress,
    a15: asc.GlobalAddress,
    a16: asc.GlobalAddress,
    a17: asc.GlobalAddress,
    a18: asc.GlobalAddress,
):
    """The same with many arguments."""


@asc.jit
def count(out: asc.GlobalAddress, n: int):
    """Scalar instructions only: a few for every turn of the loop, and a result that needs them all."""
    result = asc.GlobalTensor()
    result.set_global_buffer(out, 1)
    total = 0
    for i in range(n):
        if i % 3 == 1:
            total = (total + i) & 0xFFFFFF
    result.set_value(0, total)
