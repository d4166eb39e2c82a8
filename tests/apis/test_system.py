# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# get_block_idx and get_block_num: every block knows its number and how many there are, over several waves of cores too.
import asc
import numpy as np
import pytest


@asc.jit
def who_am_i(out: asc.GlobalAddress):
    out_gm = asc.GlobalTensor()
    out_gm.set_global_buffer(out + asc.get_block_idx() * 8, 8)
    local = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 8)
    for i in range(0, 8, 2):
        local.set_value(i, asc.get_block_idx())
        local.set_value(i + 1, asc.get_block_num())
    asc.set_flag(asc.HardEvent.S_MTE3, 0)
    asc.wait_flag(asc.HardEvent.S_MTE3, 0)
    asc.data_copy(out_gm, local, 8)


@pytest.mark.parametrize("blocks", [1, 2, 7, 40, 48, 49, 100, 1000])
def test_blocks(blocks):
    out = np.full(8 * blocks, -1, np.int32)
    who_am_i[blocks](out)
    rows = out.reshape(blocks, 4, 2)
    assert (rows[:, :, 0] == np.arange(blocks)[:, None]).all()
    assert (rows[:, :, 1] == blocks).all()
