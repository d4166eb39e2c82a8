# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random straight-line kernels of several cores whose scalar units and copies share lines of the data cache, with some of the calls that
order them. A kernel without findings has the results of a memory where all see every store at once, whatever a device with such caches
makes of it: the checks of an ordinary run find what any order of things could do."""

import random

import numpy as np
import pytest
from pyasc.errors import CheckError
from support.kernel_file import load

WORDS, TILE = 32, 8  # two lines; a copy moves half a line
HEAD = """import asc


@asc.jit
def order(event: asc.ConstExpr):
    asc.set_flag(event, 0)
    asc.wait_flag(event, 0)


@asc.jit
def clean(tensor):
    asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT, tensor)


@asc.jit
def kernel(x: asc.GlobalAddress, out: asc.GlobalAddress):
    x_gm, out_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 32)
    out_gm.set_global_buffer(out, 1024)
    me = asc.get_block_idx()
    values, got = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 256), asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 1024, 256)
    for i in asc.static_range(4):
        asc.duplicate(values[64 * i], 100 * me + i + 10, 64)
    asc.duplicate(got, 0, 256)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    total = 0
"""
TAIL = """
    order(asc.HardEvent.MTE2_MTE3)
    asc.data_copy(out_gm[256 * me], got, 128)
    out_gm.set_value(256 * me + 128, total)
"""
EVENTS = ["MTE3_S", "S_MTE3", "S_MTE2", "MTE3_MTE2", "MTE2_S", "MTE2_MTE3"]


def statements(chance, careful: bool):
    """What one core does between two meetings; a careful one cleans, and orders everything in between."""
    for _ in range(chance.randint(0, 6)):
        word, tile, slot = chance.randrange(WORDS), TILE * chance.randrange(WORDS // TILE), TILE * chance.randrange(16)
        if careful:
            yield "clean(x_gm)\nclean(x_gm[16])\nasc.pipe_barrier(asc.PipeID.PIPE_ALL)"
        yield chance.choice(
            [
                f"x_gm.set_value({word}, {chance.randint(1, 99)})",
                f"x_gm.set_value({word}, total)",
                f"total = total * 3 + x_gm.get_value({word})",
                f"total = total * 3 + x_gm.get_value({word})",
                f"asc.data_copy(x_gm[{tile}], values[{slot}], {TILE})",
                f"asc.data_copy(got[{slot}], x_gm[{tile}], {TILE})",
                f"clean(x_gm[{word}])",
                f"clean(x_gm[{word}])",
                f"order(asc.HardEvent.{chance.choice(EVENTS)})",
                f"order(asc.HardEvent.{chance.choice(EVENTS)})",
                "asc.pipe_barrier(asc.PipeID.PIPE_ALL)",
            ]
        )


def source(seed: int) -> tuple[str, int]:
    chance = random.Random(seed)
    blocks, careful = chance.choice([1, 2, 2, 3]), chance.random()
    lines = []
    for _ in range(chance.randint(1, 3)):
        alone = chance.randrange(blocks) if chance.random() < 0.7 else None
        for block in range(blocks):
            if alone in (None, block):
                body = [line for part in statements(chance, chance.random() < careful) for line in part.split("\n")]
                if chance.random() < careful:
                    body += ["clean(x_gm)", "clean(x_gm[16])"]
                lines += [f"if me == {block}:", *(f"    {line}" for line in [*body, "pass"])]
        if blocks > 1:
            lines.append("asc.sync_all()")
    return HEAD + "".join(f"    {line}\n" for line in lines) + TAIL, blocks


def run(kernel, blocks: int, **options) -> tuple[bytes, set[str]]:
    """The results and the codes of the findings."""
    x, out, codes = np.arange(WORDS, dtype=np.int32), np.zeros(1024, np.int32), set()
    try:
        kernel.options(**options)[blocks](x, out)
    except CheckError as error:
        codes = {finding.code for finding in error.findings}
    return x.tobytes() + out.tobytes(), codes


@pytest.mark.parametrize("auto_sync", [True, False])
def test_what_a_device_with_caches_makes_of_a_kernel_without_findings(auto_sync):
    clean = wrong = 0
    for seed in range(60):
        text, blocks = source(seed)
        kernel = load(text).kernel
        results, found = run(kernel, blocks, auto_sync=auto_sync)
        for luck in range(4):
            on_device, codes = run(kernel, blocks, auto_sync=auto_sync, check="adversarial", data_cache=True, seed=luck)
            assert found or (on_device == results and not codes), (seed, luck, codes, text)
            wrong += on_device != results
        clean += not found
    assert clean >= 20 and wrong >= 20, (clean, wrong)
