# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The data cache of the scalar unit: lines of 64 bytes that nothing keeps up to date. The same racy and clean kernels with the checker, and
# with the cache as the device has it (option data_cache), where the results of the racy ones are wrong.
import re

import asc
import numpy as np
import pytest
from pyasc.errors import CheckError
from support.kernel_file import load

HEAD = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, out: asc.GlobalAddress):
    x_gm, out_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    out_gm.set_global_buffer(out, 64)
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
    me = asc.get_block_idx()
"""
CLEAN = "asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT, x_gm)"
ALL = "asc.data_cache_clean_and_invalid(asc.CacheLine.ENTIRE_DATA_CACHE, asc.DcciDst.CACHELINE_ALL, x_gm)"


def flag(event: str) -> str:
    return f"asc.set_flag(asc.HardEvent.{event}, 0)\nasc.wait_flag(asc.HardEvent.{event}, 0)\n"


STORE_SEVENS = "asc.duplicate(tile, 7, 64)\n" + flag("V_MTE3")
COPY_TO_X = STORE_SEVENS + "asc.data_copy(x_gm, tile, 64)\n" + flag("MTE3_S")

# name: (statements with CALL where the call that makes them right goes, code, element 0 of out when right, when wrong)
KERNELS = {
    "a copy changes a line that was read": (
        "before = x_gm.get_value(1)\n" + COPY_TO_X + "CALL\nout_gm.set_value(0, x_gm.get_value(0))\nout_gm.set_value(1, before)\n",
        "S401",
        7,
        0,
    ),
    "a copy changes other bytes of a line that was read": (
        "before = x_gm.get_value(3)\n" + COPY_TO_X + "CALL\nout_gm.set_value(0, x_gm.get_value(2))\nout_gm.set_value(1, before)\n",
        "S401",
        7,
        0,
    ),
    "a copy reads what set_value stored": (
        "x_gm.set_value(0, 5)\nCALL\n"
        + flag("S_MTE2")
        + "asc.data_copy(tile, x_gm, 64)\n"
        + flag("MTE2_S")
        + "out_gm.set_value(0, tile.get_value(0))\n",
        "S402",
        5,
        0,
    ),
    "a copy stores in a line that set_value changed": (
        "x_gm.set_value(0, 5)\nCALL\n"
        + STORE_SEVENS
        + flag("S_MTE3")
        + "asc.data_copy(x_gm[8:], tile, 8)\n"
        + flag("MTE3_S")
        # The line goes back to memory, and comes from there again.
        + ALL
        + "\nout_gm.set_value(0, x_gm.get_value(8))\n",
        "S403",
        7,
        0,
    ),
}


def run(statements: str, call: str, blocks: int = 1, **options):
    body = statements.replace("CALL", call)
    kernel = load(HEAD + "".join(f"    {line}\n" for line in body.splitlines() if line)).kernel
    x, out = np.zeros(64, np.int32), np.zeros(64, np.int32)
    kernel.options(**options)[blocks](x, out)
    return x, out


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("call", [CLEAN, ALL])
def test_the_right_call_makes_it_right(name, call):
    statements, _, right, _ = KERNELS[name]
    for options in ({}, {"data_cache": True}, {"check": "adversarial", "seed": 3, "data_cache": True}):
        assert run(statements, call, **options)[1][0] == right


@pytest.mark.parametrize("name", KERNELS)
def test_without_it_there_is_a_finding_and_a_wrong_result_on_the_device(name):
    statements, code, right, wrong = KERNELS[name]
    for options in ({}, {"data_cache": True}):
        with pytest.raises(CheckError, match=code) as error:
            run(statements, "", **options)
        assert re.findall(r"\b([SM]\d{3})\b", str(error.value))[0] == code
    assert run(statements, "", check=False)[1][0] == right  # all see every store at once
    assert run(statements, "", check=False, data_cache=True)[1][0] == wrong


def test_lines_of_the_other_memory_stay():
    statements, code, _, wrong = KERNELS["a copy reads what set_value stored"]
    call = CLEAN.replace("OUT", "UB")
    with pytest.raises(CheckError, match=code):
        run(statements, call)
    assert run(statements, call, check=False, data_cache=True)[1][0] == wrong


def test_only_the_line_that_is_named_is_cleaned():
    statements = KERNELS["a copy reads what set_value stored"][0].replace("set_value(0, 5)", "set_value(0, 5)\nx_gm.set_value(16, 6)")
    with pytest.raises(CheckError, match=r"(?s)S402.*bytes 64\.\.67"):
        run(statements, CLEAN)
    assert run(statements, CLEAN + "\n" + CLEAN.replace("x_gm)", "x_gm[16:])"))[1][0] == 5


def test_the_end_of_the_kernel_writes_lines_back():
    _, out = run("for i in range(64):\n    out_gm.set_value(i, x_gm.get_value(i) + i)\n", "", data_cache=True)
    np.testing.assert_array_equal(out, np.arange(64))


def test_more_lines_than_the_cache_has():
    @asc.jit
    def kernel(x: asc.GlobalAddress, n: int):
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x, n)
        for i in range(0, n, 7):
            gm.set_value(i, gm.get_value(i) + i)
        for i in range(0, n, 7):
            gm.set_value(i, gm.get_value(i) + 1)

    for dtype in (np.int64, np.int8):
        x = np.arange(9001, dtype=np.int64).astype(dtype)  # the array ends within a line
        want = x.copy()
        want[::7] += np.arange(0, 9001, 7).astype(dtype) + dtype(1)
        kernel.options(data_cache=True, check=False)[1](x, 9001)
        np.testing.assert_array_equal(x, want)


# ---------------------------------------------------------------- between cores

TELL = "asc.sync_all()\n"
WRITE_AND_READ = (
    """
if me == 0:
    x_gm.set_value(0, 5)
    CALL
"""
    + TELL
    + """
if me == 1:
    READ
"""
    + TELL  # else core 0 might have ended, and its lines gone back
)
READS = {
    "scalar": ("out_gm.set_value(0, x_gm.get_value(0))", 5),
    "copy": (
        "asc.data_copy(tile, x_gm, 64)\n    asc.set_flag(asc.HardEvent.MTE2_S, 0)\n    asc.wait_flag(asc.HardEvent.MTE2_S, 0)\n"
        "    out_gm.set_value(0, tile.get_value(0))",
        5,
    ),
}


@pytest.mark.parametrize("read", READS)
def test_another_core_sees_what_was_written_back(read):
    text, right = READS[read]
    statements = WRITE_AND_READ.replace("READ", text)
    for options in ({}, {"data_cache": True}):
        assert run(statements, CLEAN, 2, **options)[1][0] == right
    with pytest.raises(CheckError, match="S402"):
        run(statements, "pass", 2)
    assert run(statements, "pass", 2, check=False, data_cache=True)[1][0] == 0


def test_a_core_that_has_the_line_forgets_it():
    statements = (
        """
before = x_gm.get_value(1)
"""
        + TELL
        + """
if me == 0:
    x_gm.set_value(0, 5 + before)
    """
        + CLEAN
        + "\n"
        + TELL
        + """
if me == 1:
    CALL
    out_gm.set_value(0, x_gm.get_value(0))
"""
    )
    for options in ({}, {"data_cache": True}):
        assert run(statements, CLEAN, 2, **options)[1][0] == 5
    with pytest.raises(CheckError, match="S401"):
        run(statements, "pass", 2)
    assert run(statements, "pass", 2, check=False, data_cache=True)[1][0] == 0


def test_two_cores_change_one_line_in_turns():
    statements = (
        """
if me == 0:
    x_gm.set_value(0, 5)
    """
        + CLEAN
        + "\n"
        + TELL
        + """
if me == 1:
    CALL
    x_gm.set_value(1, 6)
"""
    )
    for options in ({}, {"data_cache": True}):
        x, _ = run(statements, CLEAN, 2, **options)
        assert x[:2].tolist() == [5, 6]
    early = "before = x_gm.get_value(2)\n" + TELL + statements.replace("set_value(1, 6)", "set_value(1, 6 + before)")
    assert run(early, CLEAN, 2)[0][:2].tolist() == [5, 6]
    with pytest.raises(CheckError, match="S304"):
        run(early, "pass", 2)
    assert run(early, "pass", 2, check=False, data_cache=True)[0][:2].tolist() == [0, 6]


def test_results_do_not_depend_on_threads():
    """Blocks that share lines get into each other's way, always in the same manner."""

    @asc.jit
    def kernel(x: asc.GlobalAddress):
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x, 256)
        for i in range(4):
            gm.set_value(asc.get_block_idx() + 40 * i, 1 + asc.get_block_idx())

    results = set()
    for threads in (1, 2, 7):
        x = np.zeros(256, np.int32)
        kernel.options(check=False, data_cache=True, threads=threads)[40](x)
        results.add(x.tobytes())
    assert len(results) == 1


@asc.jit
def poll(words: asc.GlobalAddress, out: asc.GlobalAddress, forget: asc.ConstExpr):
    """Block 1 reads a word until block 0, which has other things to do first, has set it; then it reads what block 0 has stored before."""
    gm, out_gm = asc.GlobalTensor(), asc.GlobalTensor()
    gm.set_global_buffer(words, 64)
    out_gm.set_global_buffer(out, 8)
    if asc.get_block_idx() == 0:
        for i in range(100):
            gm.set_value(16, i)
            asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT, gm[16])
        asc.data_sync_barrier(asc.MemDsbT.DDR)
        gm.set_value(0, 1)
        asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT, gm)
    else:
        while gm.get_value(0) == 0:
            if forget:
                asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT, gm)
        asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT, gm[16])
        out_gm.set_value(0, gm.get_value(16))


def run_poll(forget, **options):
    words, out = np.zeros(64, np.int32), np.zeros(8, np.int32)
    poll.options(**options)[2](words, out, forget)
    return out[0]


def test_a_loop_that_polls_a_word():
    for options in ({}, {"threads": 1}, {"data_cache": True}):
        assert run_poll(True, check=False, **options) == 99
    assert run_poll(False, check=False) == 99
    with pytest.raises(CheckError, match="M204"):  # it reads its own line for ever
        run_poll(False, check=False, data_cache=True, max_cycles=100_000)
    with pytest.raises(CheckError, match="S303"):  # the checker takes no order from such a loop
        run_poll(True)


# ---------------------------------------------------------------- the other calls


def test_preload_and_status():
    @asc.jit
    def kernel(x: asc.GlobalAddress, out: asc.GlobalAddress):
        x_gm, out_gm = asc.GlobalTensor(), asc.GlobalTensor()
        x_gm.set_global_buffer(x, 64)
        out_gm.set_global_buffer(out, 64)
        tile = asc.LocalTensor(asc.uint64, asc.TPosition.VECCALC, 0, 64)
        asc.icache_preload(2)
        out_gm.set_value(1, asc.get_icache_preload_status() + 3)
        asc.data_copy(tile, x_gm[32:], 32)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.data_cache_preload(x_gm, 64)
        asc.data_copy(x_gm, tile, 32)
        asc.set_flag(asc.HardEvent.MTE3_S, 0)
        asc.wait_flag(asc.HardEvent.MTE3_S, 0)
        out_gm.set_value(0, x_gm.get_value(8))  # byte 64

    x, out = np.arange(64, dtype=np.uint64), np.zeros(64, np.uint64)
    with pytest.raises(CheckError, match="S401"):
        kernel[1](x.copy(), out)
    kernel.options(check=False, data_cache=True)[1](x.copy(), out)
    assert out[:2].tolist() == [8, 3]
    kernel.options(check=False)[1](x.copy(), out)
    assert out[:2].tolist() == [40, 3]


def test_lines_cost_time_again_when_they_were_forgotten():
    @asc.jit
    def kernel(x: asc.GlobalAddress, forget: asc.ConstExpr, preload: asc.ConstExpr):
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x, 512)
        total = gm.get_value(0)
        for _ in range(49):
            if forget:
                asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT, gm)
            if preload:
                asc.data_cache_preload(gm, 0)
            total += gm.get_value(0)
        gm.set_value(1, total)

    cycles = {}
    for forget, preload in [(False, False), (True, False), (True, True)]:
        kernel[1](np.zeros(512, np.uint64), forget, preload)
        cycles[forget, preload] = kernel.last_launch.cycles
    assert cycles[True, False] > cycles[False, False] + 49 * 100
    assert cycles[True, True] < cycles[False, False] + 49 * 100


def test_preload_outside_the_array_does_nothing():
    @asc.jit
    def kernel(x: asc.GlobalAddress):
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x, 8)
        asc.data_cache_preload(gm, 1 << 30)
        asc.data_cache_preload(gm, -64)
        gm.set_value(0, 1)

    x = np.zeros(8, np.uint64)
    kernel.options(data_cache=True)[1](x)
    assert x.tolist() == [1] + [0] * 7


@pytest.mark.parametrize("count", [32, 64], ids=["as many lines as the cache has", "more"])
def test_the_first_line_is_reported(count):
    """Whatever the order in which the cache has its lines."""
    statements = (
        "".join(f"x_gm.set_value({16 * line}, 5)\n" for line in range(3)) + flag("S_MTE2") + f"asc.data_copy(tile, x_gm, {count})\n"
    )
    with pytest.raises(CheckError) as caught:
        run(statements, "")
    assert caught.value.code == "S402" and caught.value.findings[0].notes[0].text.endswith("reads x_gm, GM bytes 0..3")
