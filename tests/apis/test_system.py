# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a core knows about itself: blocks, over several waves of cores too, version, counters, and the addresses that it keeps.
import asc
import numpy as np
import pytest
from pyasc.errors import CheckError
from support.refusals import diagnostics_of


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


@asc.jit
def versions(out: asc.GlobalAddress, n: int):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(out, 4)
    gm.set_value(0, asc.get_arch_version())
    gm.set_value(1, asc.get_arch_version(n))
    first = asc.get_program_counter()
    second = asc.get_program_counter()
    gm.set_value(2, first)
    gm.set_value(3, second)


def test_version_and_program_counter():
    out = np.zeros(4, np.int64)
    versions[1](out, 5)
    assert out[0] == out[1] == 0x220
    assert 0 < out[2] < out[3]


@asc.jit
def pointers(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress):
    asc.set_sys_workspace(x)
    asc.set_hccl_context(0, y)
    asc.set_hccl_context(1, z + 2)
    if asc.get_block_idx() == 0:
        asc.set_sys_workspace(x + 8)
    places = (asc.get_sys_workspace(), asc.get_hccl_context(0), asc.get_hccl_context(1))
    for i in asc.static_range(3):
        gm = asc.GlobalTensor()
        gm.set_global_buffer(places[i], 64)
        gm.set_value(i, gm.get_value(i) + 1)


def test_addresses_that_the_core_keeps():
    x, y, z = np.arange(64, dtype=np.uint8), np.arange(64, dtype=np.uint8), np.arange(64, dtype=np.int32)
    pointers[1](x, y, z)
    want = np.arange(64)
    want[8] += 1
    np.testing.assert_array_equal(x, want)
    np.testing.assert_array_equal(y, np.where(np.arange(64) == 1, 2, np.arange(64)))
    words = np.arange(64, dtype=np.int32)
    words.view(np.uint8)[8 + 2] += 1
    np.testing.assert_array_equal(z, words)


@asc.jit
def chosen(x: asc.GlobalAddress, y: asc.GlobalAddress, index: int):
    asc.set_hccl_context(1 - index, y)
    asc.set_hccl_context(index, x)
    for i in asc.static_range(2):
        gm = asc.GlobalTensor()
        gm.set_global_buffer(asc.get_hccl_context(i), 64)
        gm.set_value(i, 100)


@pytest.mark.parametrize("index", [0, 1])
def test_the_context_is_chosen_at_run_time(index):
    x, y = np.zeros(64, np.uint8), np.zeros(64, np.uint8)
    chosen[1](x, y, index)
    assert x.tolist() == [100 * (i == index) for i in range(64)] and y.tolist() == [100 * (i == 1 - index) for i in range(64)]


@pytest.mark.parametrize("index", [-1, 2, 2**31 - 1])
@pytest.mark.parametrize("check", [True, False])
def test_a_context_that_is_not_there(index, check):
    found = diagnostics_of(lambda: chosen.options(check=check)[1](np.zeros(64, np.uint8), np.zeros(64, np.uint8), index))
    assert found[0].code == "M206" and f"the index of a context is {1 - index}, expected 0 or 1" in found[0].message


def test_an_address_that_nothing_has_set():
    @asc.jit
    def kernel(out: asc.GlobalAddress):
        gm, out_gm = asc.GlobalTensor(), asc.GlobalTensor()
        gm.set_global_buffer(asc.get_sys_workspace(), 64)
        out_gm.set_global_buffer(out, 64)
        out_gm.set_value(0, gm.get_value(0))

    with pytest.raises(CheckError, match=r"(?s)M101.*asc.set_sys_workspace"):
        kernel[1](np.zeros(64, np.uint8))
