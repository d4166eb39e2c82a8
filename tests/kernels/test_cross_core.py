# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks that wait for each other: results, races that a missing flag leaves, both kinds of core, and the adversarial mode."""

import asc
import numpy as np
import pytest
from asc.runtime.config import KernelType
from pyasc.errors import CheckError, LaunchError, PyascWarning

TILE = 64


@asc.jit
def global_tensor(address, size: asc.ConstExpr):
    tensor = asc.GlobalTensor()
    tensor.set_global_buffer(address, size)
    return tensor


@asc.jit
def order(event: asc.ConstExpr):
    asc.set_flag(event, 0)
    asc.wait_flag(event, 0)


@asc.jit
def rotate(x: asc.GlobalAddress, out: asc.GlobalAddress, words: asc.GlobalAddress, rounds: asc.ConstExpr, meet: asc.ConstExpr):
    """Every block stores its number; after a meeting it loads that of the next block; and again."""
    x_gm, out_gm, words_gm = global_tensor(x, 16 * TILE), global_tensor(out, 64 * TILE), global_tensor(words, 1024)
    me, blocks = asc.get_block_idx(), asc.get_block_num()
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, TILE)
    scratch = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 4 * TILE, 512)
    for i in range(rounds):
        asc.duplicate(tile, me + 100 * i, TILE)
        order(asc.HardEvent.V_MTE3)
        asc.data_copy(x_gm[me * TILE], tile, TILE)
        order(asc.HardEvent.MTE3_MTE2)
        meet(words_gm, scratch)
        asc.data_copy(tile, x_gm[(me + 1) % blocks * TILE], TILE)
        order(asc.HardEvent.MTE2_MTE3)
        asc.data_copy(out_gm[(i * blocks + me) * TILE], tile, TILE)
        order(asc.HardEvent.MTE3_V)
        meet(words_gm, scratch)


@asc.jit
def by_hardware(words, scratch):
    asc.sync_all()


@asc.jit
def by_words(words, scratch):
    asc.sync_all(words, scratch)


@asc.jit
def by_flags(words, scratch):
    asc.cross_core_set_flag(2, 0, asc.PipeID.PIPE_MTE3)
    asc.cross_core_wait_flag(2, 0, asc.PipeID.PIPE_MTE3)


@asc.jit
def not_at_all(words, scratch):
    pass


def run_rotate(meet, blocks=8, rounds=3, **options):
    x, out, words = np.zeros(16 * TILE, np.int32), np.zeros(64 * TILE, np.int32), np.zeros(1024, np.int32)
    rotate.options(**options)[blocks](x, out, words, rounds, meet)
    return out[: rounds * blocks * TILE : TILE].reshape(rounds, blocks)


EXPECTED = (np.arange(8) + 1) % 8 + 100 * np.arange(3)[:, None]


@pytest.mark.parametrize("meet", [by_hardware, by_words, by_flags], ids=lambda meet: meet.__name__)
def test_a_meeting_of_all_blocks(meet):
    np.testing.assert_array_equal(run_rotate(meet), EXPECTED)


@pytest.mark.parametrize("meet", [by_hardware, by_words, by_flags], ids=lambda meet: meet.__name__)
def test_a_correct_kernel_is_right_for_every_seed(meet):
    for seed in range(10):
        np.testing.assert_array_equal(run_rotate(meet, check="adversarial", seed=seed), EXPECTED)


def test_without_a_meeting():
    with pytest.raises(CheckError) as caught:
        run_rotate(not_at_all)
    assert {d.code for d in caught.value.diagnostics} == {"S303"}
    wrong = 0
    for seed in range(10):
        try:
            wrong += (run_rotate(not_at_all, check="adversarial", seed=seed) != EXPECTED).any()
        except CheckError:
            wrong += 1
    assert wrong == 10


@asc.jit
def once(x: asc.GlobalAddress, out: asc.GlobalAddress, waits: asc.ConstExpr):
    """Block 1 loads what block 0 has stored."""
    x_gm, out_gm = global_tensor(x, 2 * TILE), global_tensor(out, 2 * TILE)
    me = asc.get_block_idx()
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, TILE)
    other = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 4 * TILE, TILE)
    asc.duplicate(tile, me + 7, TILE)
    order(asc.HardEvent.V_MTE3)
    asc.data_copy(x_gm[me * TILE], tile, TILE)
    asc.cross_core_set_flag(0, 0, asc.PipeID.PIPE_MTE3)
    if waits:
        asc.cross_core_wait_flag(0, 0, asc.PipeID.PIPE_MTE3)
    asc.data_copy(other, x_gm[(1 - me) * TILE], TILE)
    order(asc.HardEvent.MTE2_MTE3)
    asc.data_copy(out_gm[me * TILE], other, TILE)
    if not waits:
        asc.cross_core_wait_flag(0, 0, asc.PipeID.PIPE_MTE3)


def test_a_wait_that_comes_too_late():
    x, out = np.zeros(2 * TILE, np.int32), np.zeros(2 * TILE, np.int32)
    once[2](x, out, True)
    assert (out.reshape(2, TILE) == [[8], [7]]).all()
    with pytest.raises(CheckError) as caught:
        once[2](x, out, False)
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.code == "S303" and diagnostic.help == (
        "nothing orders the two accesses: set a cross-core flag after the one that is to come first and wait for it before the other, "
        "or call asc.sync_all() between them"
    )


@asc.jit
def cube_and_vector(x: asc.GlobalAddress, out: asc.GlobalAddress):
    """Each cube core adds up what its two vector cores have written."""
    x_gm, out_gm = global_tensor(x, 1024), global_tensor(out, 1024)
    if asc.ascend_is_aiv():
        tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 16)
        asc.duplicate(tile, asc.get_block_idx() + 10 * asc.get_sub_block_idx().cast(asc.int32), 16)
        order(asc.HardEvent.V_MTE3)
        asc.data_copy(x_gm[asc.get_block_idx() * 16], tile, 16)
        asc.cross_core_set_flag(4, 2, asc.PipeID.PIPE_MTE3)
    else:
        asc.cross_core_wait_flag(4, 2, asc.PipeID.PIPE_MTE3)
        i = asc.get_block_idx()
        out_gm.set_value(i * 16, x_gm.get_value(32 * i) + x_gm.get_value(32 * i + 16))


def test_both_kinds_of_core():
    x, out = np.zeros(1024, np.int32), np.zeros(1024, np.int32)
    compiled = cube_and_vector.compile(x, out)
    assert "KERNEL_TYPE_MIX_AIC_1_2" in compiled.ascendc and "type MIX_AIC_1_2" in compiled.listing
    for options in ({}, *({"check": "adversarial", "seed": seed} for seed in range(5))):
        out[:] = 0
        cube_and_vector.options(**options)[5](x, out)
        assert (out[: 5 * 16 : 16] == [4 * i + 11 for i in range(5)]).all()


@asc.jit
def meeting_of_both_kinds(x: asc.GlobalAddress, out: asc.GlobalAddress):
    """Each vector core loads what that of the next AI Core has stored; the cube cores only come to the meeting. Pipes wait by barriers,
    which both kinds of core have."""
    x_gm, out_gm = global_tensor(x, 1024), global_tensor(out, 1024)
    me, all_of_them = asc.get_block_idx(), asc.get_block_num() * asc.get_sub_block_num()
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 16)
    asc.duplicate(tile, me + 7, 16)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(x_gm[me * 16], tile, 16)
    asc.sync_all(is_aiv_only=False)
    asc.data_copy(tile, x_gm[(me + 2) % all_of_them * 16], 16)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(out_gm[me * 16], tile, 16)


def test_a_meeting_of_both_kinds_of_core():
    """Without the option, the kernel gets a type that has both."""
    x, out = np.zeros(1024, np.int32), np.zeros(1024, np.int32)
    compiled = meeting_of_both_kinds.compile(x, out)
    assert "KERNEL_TYPE_MIX_AIC_1_2" in compiled.ascendc and "SyncAll<false>()" in compiled.ascendc
    for options in ({}, *({"check": "adversarial", "seed": seed} for seed in range(5))):
        x[:], out[:] = 0, 0
        meeting_of_both_kinds.options(**options)[5](x, out)
        assert (out[: 10 * 16 : 16] == [(core + 2) % 10 + 7 for core in range(10)]).all()


@asc.jit
def names(out: asc.GlobalAddress):
    out_gm = global_tensor(out, 4096)
    if asc.ascend_is_aiv():
        place = asc.get_block_idx() * 16
        values = (asc.get_block_num(), asc.get_sub_block_num(), asc.get_task_ratio(), asc.get_sub_block_idx())
    else:
        place = 2048 + asc.get_block_idx() * 16
        values = (asc.get_block_num(), asc.get_sub_block_num(), asc.get_task_ratio(), asc.get_sub_block_idx())
    for i, value in enumerate(values):
        out_gm.set_value(place + i, value.cast(asc.int32))


@pytest.mark.parametrize(
    ("kind", "vector", "cube"),
    [
        (KernelType.AIV_ONLY, [[3, 1, 1, 0]] * 3, None),
        (KernelType.MIX_AIV_1_0, [[3, 1, 1, 0]] * 3, None),
        (KernelType.MIX_AIC_1_1, [[3, 1, 1, 0]] * 3, [[3, 1, 1, 0]] * 3),
        (KernelType.MIX_AIC_1_2, [[3, 2, 2, i % 2] for i in range(6)], [[3, 1, 1, 0]] * 3),
        (KernelType.AIC_ONLY, None, [[3, 1, 1, 0]] * 3),
    ],
    ids=lambda value: value.name if isinstance(value, KernelType) else "",
)
def test_what_a_core_knows_of_itself(kind, vector, cube):
    """The table of 07-sync section 8."""
    out = np.zeros(4096, np.int32)
    names.options(kernel_type=kind)[3](out)
    for base, rows in ((0, vector), (2048, cube)):
        for i in range(8):
            expected = rows[i] if rows is not None and i < len(rows) else [0, 0, 0, 0]
            assert out[base + 16 * i : base + 16 * i + 4].tolist() == expected


def test_matmul_cube_only():
    out = np.zeros(4096, np.int32)
    names.options(matmul_cube_only=True)[3](out)
    assert not out[:2048].any() and out[2048] == 3


@asc.jit
def same_value(x: asc.GlobalAddress, other: asc.ConstExpr):
    global_tensor(x, 64).set_value(0, 5 + other * asc.get_block_idx())


@asc.jit
def mix_in(x: asc.GlobalAddress, n: int):
    x_gm = global_tensor(x, 64)
    value = x_gm.get_value(0)
    for i in range(n):  # the other block reads in the meantime
        value = value ^ (i + 7)
    x_gm.set_value(0, value)


def test_a_lost_update_is_no_agreement():
    """Both blocks store the same, because neither has seen the other's."""
    x = np.zeros(64, np.int32)
    with pytest.raises(CheckError, match="S303"):
        mix_in[2](x, 2001)


@asc.jit
def both_kinds():
    if asc.ascend_is_aic():
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    else:
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)


def test_most_blocks_of_a_kernel_with_both_kinds_of_core():
    with pytest.raises(LaunchError, match=r"K103.*got 21846, expected 1 to 21845 for a kernel of the type MIX_AIC_1_2"):
        both_kinds[21846]()


def test_blocks_that_store_the_same_value():
    x = np.zeros(64, np.int32)
    with pytest.warns(PyascWarning, match="S303"):
        same_value[2](x, 0)
    assert x[0] == 5
    with pytest.raises(CheckError, match="S303"):
        same_value[2](x, 1)
