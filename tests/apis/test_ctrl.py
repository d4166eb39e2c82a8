# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Bit 48 of the control register: what becomes of Inf and NaN of 16 bits.
import asc
import numpy as np
import pytest
from support.kernel_file import load

KERNEL = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, out: asc.GlobalAddress, states: asc.GlobalAddress, keep: int):
    x_gm, y_gm, out_gm, states_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 16)
    y_gm.set_global_buffer(y, 16)
    out_gm.set_global_buffer(out, 16)
    states_gm.set_global_buffer(states, 3)
    a = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 16)
    b = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 32, 16)
    states_gm.set_value(0, asc.get_ctrl_spr(48, 48))
    asc.set_ctrl_spr(48, 48, keep)
    states_gm.set_value(1, asc.get_ctrl_spr(48, 48))
    asc.data_copy(a, x_gm, 16)
    asc.data_copy(b, y_gm, 16)
    SUM
    asc.reset_ctrl_spr(48, 48)
    states_gm.set_value(2, asc.get_ctrl_spr(48, 48))
"""
SUMS = {
    "add": """asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.add(a, a, b, 16)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(out_gm, a, 16)""",
    "atomic": """asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(out_gm, a, 16)
    asc.pipe_barrier(asc.PipeID.PIPE_MTE3)
    asc.set_atomic_add(asc.float16)
    asc.data_copy(out_gm, b, 16)
    asc.set_atomic_none()""",
}


@pytest.mark.parametrize("keep", [1, 0])
@pytest.mark.parametrize("how", SUMS)
def test_infinity_and_nan(how, keep):
    x, y = np.zeros(16, np.float16), np.zeros(16, np.float16)
    x[:5], y[:5] = [60000, -60000, np.inf, np.inf, 1], [60000, -60000, -np.inf, 1, 2]
    out, states = np.zeros(16, np.float16), np.zeros(3, np.int64)
    load(KERNEL.replace("SUM", SUMS[how])).kernel[1](x, y, out, states, keep)
    want = [np.inf, -np.inf, np.nan, np.inf, 3] if keep else [65504, -65504, 0, 65504, 3]
    np.testing.assert_array_equal(out[:5], np.array(want, np.float16))
    assert states.tolist() == [1, keep, 1]


def test_other_bits_are_refused():
    from pyasc.errors import CompileError

    @asc.jit
    def kernel(x: asc.GlobalAddress):
        asc.set_ctrl_spr(53, 53, 1)

    with pytest.raises(CompileError, match="R105"):
        kernel.compile(np.zeros(1, np.int32))
