# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every big feature once, in seconds: run it first."""

import subprocess
import sys

import asc
import numpy as np
import pyasc
import pytest

N = 256


@asc.jit
def double(tile, count):
    asc.add(tile, tile, tile, count)


@asc.jit
def kernel(x: asc.GlobalAddress, out: asc.GlobalAddress, factor: float, turns: int, wait: asc.ConstExpr[bool]):
    """out = x * factor, doubled `turns` times, plus the number of the block; without `wait` a race."""
    block = asc.get_block_idx()
    x_gm, out_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + block * N, N)
    out_gm.set_global_buffer(out + block * N, N)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, N)
    asc.data_copy(tile, x_gm, N)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.muls(tile, tile, factor, N)
    for _ in range(turns):
        double(tile, N)
    ones = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 4 * N, N)
    asc.duplicate(ones, 1.0, N)
    for _ in range(block):
        asc.add(tile, tile, ones, N)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    if wait:
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(out_gm, tile, N)


@pytest.fixture
def arrays():
    x = np.arange(4 * N, dtype=np.float32)
    return x, np.zeros_like(x)


def test_launch(arrays):
    x, out = arrays
    kernel[4](x, out, 0.5, 3, True)
    np.testing.assert_array_equal(out, x * 4 + np.repeat(np.arange(4), N))
    assert kernel.last_launch.cycles > 0
    assert kernel.last_launch.gm_read_bytes == x.nbytes
    assert kernel.last_launch.gm_written_bytes == out.nbytes


def test_launch_without_checks(arrays):
    x, out = arrays
    kernel.options(check=False)[4](x, out, 0.5, 3, True)
    np.testing.assert_array_equal(out, x * 4 + np.repeat(np.arange(4), N))


def test_race_is_found(arrays):
    with pytest.raises(pyasc.errors.PyascError) as caught:
        kernel[4](*arrays, 0.5, 3, False)
    assert "S301" in [diagnostic.code for diagnostic in caught.value.diagnostics]


def test_texts(arrays):
    compiled = kernel.compile(*arrays, 0.5, 3, True)
    assert "DataCopy(tile, x_gm" in compiled.ascendc
    assert "asc.kernel" in compiled.ir
    assert "data_copy" in compiled.listing


def test_wrong_dtype_is_refused(arrays):
    x, out = arrays
    with pytest.raises(pyasc.errors.PyascError):
        kernel[4](x.astype(np.float16), out, 0.5, 3, True)


def test_command():
    output = subprocess.run([sys.executable, "-m", "pyasc", "--version"], check=True, capture_output=True, text=True).stdout
    assert pyasc.__version__ in output
