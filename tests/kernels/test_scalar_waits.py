# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""With auto_sync the device's compiler puts the flags between S and the pipes: time is that of a kernel with these flags."""

import asc
import numpy as np
import pytest

COUNT = 16384
HALF = COUNT // 2


def kernel_of(use, auto_sync, flags):
    """Copies COUNT numbers in, doubles the lower half, stores them; `use` is what S does with them in between, after `flags`."""

    @asc.jit(auto_sync=auto_sync)
    def kernel(x: asc.GlobalAddress, y: asc.GlobalAddress):
        x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
        x_gm.set_global_buffer(x, COUNT)
        y_gm.set_global_buffer(y, COUNT)
        a = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, COUNT)
        other = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, COUNT * 4, 8)
        asc.data_copy(a, x_gm, COUNT)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.muls(a, a, 2.0, HALF)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(y_gm, a, COUNT)
        for event in asc.static_range(len(flags)):
            asc.set_flag(flags[event], 1)
            asc.wait_flag(flags[event], 1)
        use(a, other)
        asc.adds(other, other, 1.0, 8)

    return kernel


@asc.jit
def reads_lower_half(a, other):
    other.set_value(0, a.get_value(HALF - 1))


@asc.jit
def reads_upper_half(a, other):
    other.set_value(0, a.get_value(HALF))


@asc.jit
def writes_what_is_stored(a, other):
    a.set_value(HALF, 1.0)


@asc.jit
def uses_other_bytes(a, other):
    other.set_value(0, 1.0)


MTE2_S, V_S, MTE3_S = asc.HardEvent.MTE2_S, asc.HardEvent.V_S, asc.HardEvent.MTE3_S


@pytest.mark.parametrize(
    ("use", "flags"),
    [
        (reads_lower_half, (V_S,)),
        (reads_upper_half, (MTE2_S,)),
        (writes_what_is_stored, (MTE3_S,)),
        (uses_other_bytes, ()),
    ],
)
def test_s_waits_for_those_who_use_its_bytes(use, flags):
    x = np.arange(COUNT, dtype=np.float32)
    y = np.zeros_like(x)
    cycles = []
    for auto_sync in (True, False):
        kernel = kernel_of(use, auto_sync, () if auto_sync else flags).options(check=False)
        kernel[1](x, y)
        cycles.append(kernel.last_launch.cycles)
    assert cycles[0] <= cycles[1] <= cycles[0] + 4 * len(flags), "a flag takes two cycles to issue, one to set, one to wait for"
