# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# data_sync_barrier: S waits for accesses of all pipes, so what it hands out later needs no flags.
import asc
import numpy as np
import pytest
from pyasc.errors import CheckError
from support.kernel_file import load

N = 256
KERNEL = """import asc


@asc.jit(auto_sync=False)
def kernel(x: asc.GlobalAddress, out: asc.GlobalAddress, scratch: asc.GlobalAddress):
    x_gm, out_gm, scratch_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 256)
    out_gm.set_global_buffer(out, 256)
    scratch_gm.set_global_buffer(scratch, 256)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 256)
    asc.data_copy(tile, x_gm, 256)
    asc.data_sync_barrier(asc.MemDsbT.{first})
    asc.adds(tile, tile, 1.0, 256)
    asc.data_sync_barrier(asc.MemDsbT.{second})
    asc.data_copy(scratch_gm, tile, 256)
    asc.data_sync_barrier(asc.MemDsbT.{third})
    asc.data_copy(tile, scratch_gm, 256)
    asc.data_sync_barrier(asc.MemDsbT.{fourth})
    asc.data_copy(out_gm, tile, 256)
"""


def run(kinds, **options):
    x = np.arange(N, dtype=np.float32)
    out, scratch = np.zeros_like(x), np.zeros_like(x)
    kernel = load(KERNEL.format(first=kinds[0], second=kinds[1], third=kinds[2], fourth=kinds[3])).kernel
    kernel.options(**options)[1](x, out, scratch)
    return out


@pytest.mark.parametrize("kinds", [["ALL"] * 4, ["UB", "UB", "ALL", "UB"]])
def test_a_barrier_for_the_right_memory_is_enough(kinds):
    want = np.arange(N, dtype=np.float32) + 1
    np.testing.assert_array_equal(run(kinds), want)
    for seed in range(10):
        np.testing.assert_array_equal(run(kinds, check="adversarial", seed=seed), want)


@pytest.mark.parametrize(
    "kinds, code",
    [
        (["SEQ", "ALL", "ALL", "ALL"], "S301"),
        (["DDR", "ALL", "ALL", "ALL"], "S301"),  # the hazard is in the unified buffer
        (["ALL", "ALL", "UB", "ALL"], "S301"),  # that of scratch in global memory
        (["ALL", "ALL", "DDR", "ALL"], "S301"),  # scratch is in order, but MTE2 overwrites the tile that MTE3 may still be reading
    ],
)
def test_others_are_not(kinds, code):
    with pytest.raises(CheckError, match=code):
        run(kinds)


def test_a_barrier_behind_a_wait_that_nothing_ends_is_a_deadlock():
    @asc.jit
    def kernel(x: asc.GlobalAddress):
        x_gm = asc.GlobalTensor()
        x_gm.set_global_buffer(x, 64)
        tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
        asc.wait_flag(asc.HardEvent.V_MTE2, 0)
        asc.data_copy(tile, x_gm, 64)
        asc.data_sync_barrier(asc.MemDsbT.DDR)
        asc.set_flag(asc.HardEvent.V_MTE2, 0)

    for options in ({}, {"check": "adversarial"}):
        with pytest.raises(CheckError, match="S201"):
            kernel.options(**options)[1](np.zeros(64, np.float32))


def test_s_waits_in_simulated_time():
    @asc.jit
    def kernel(x: asc.GlobalAddress, out: asc.GlobalAddress):
        x_gm, out_gm = asc.GlobalTensor(), asc.GlobalTensor()
        x_gm.set_global_buffer(x, 16384)
        out_gm.set_global_buffer(out, 3)
        tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 16384)
        start = asc.get_system_cycle()
        asc.data_copy(tile, x_gm, 16384)
        asc.data_sync_barrier(asc.MemDsbT.SEQ)
        issued = asc.get_system_cycle()
        asc.data_sync_barrier(asc.MemDsbT.ALL)
        done = asc.get_system_cycle()
        out_gm.set_value(0, start)
        out_gm.set_value(1, issued)
        out_gm.set_value(2, done)

    out = np.zeros(3, np.int64)
    kernel[1](np.zeros(16384, np.float32), out)
    start, issued, done = out
    # 64 KiB at less than 200 GB/s take more than 300 ns: 15 ticks of 20 ns.
    assert 0 <= start <= issued <= start + 1 and done >= issued + 15
