# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels whose blocks combine into the same bytes, in phases with a meeting between them: the result is that of NumPy however the
blocks come, in adversarial mode, too; and where the order of sums matters, the same in every launch."""

import random

import numpy as np
import pytest
from support.kernel_file import load

REGION, REGIONS = 48, 3  # elements; in a phase, all stores to a region combine in the same way
ALL, TILE = REGION * REGIONS, 256
OPS = {"add": np.add, "max": np.maximum, "min": np.minimum}
HEAD = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, acc: asc.GlobalAddress, out: asc.GlobalAddress):
    x_gm, acc_gm, out_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, BLOCKS * 256)
    acc_gm.set_global_buffer(acc, 144)
    out_gm.set_global_buffer(out, BLOCKS * 144)
    me = asc.get_block_idx()
    tile = asc.LocalTensor(asc.DTYPE, asc.TPosition.VECCALC, 0, 256)
    last = asc.LocalTensor(asc.DTYPE, asc.TPosition.VECCALC, 2048, 256)
    asc.data_copy(tile, x_gm[me * 256], 256)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
"""
TAIL = """
    asc.set_atomic_none()
    asc.data_copy_pad(last, acc_gm, asc.DataCopyExtParams(1, 144 * SIZE, 0, 0, 0), asc.DataCopyPadExtParams(asc.DTYPE, False, 0, 0, 0))
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 1)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 1)
    asc.data_copy_pad(out_gm[me * 144], last, asc.DataCopyExtParams(1, 144 * SIZE, 0, 0, 0))
"""


class Written:
    """A kernel, its arrays, and what becomes of them."""

    def __init__(self, seed: int, dtype: np.dtype, exact: bool):
        chance, rng = random.Random(seed), np.random.default_rng(seed)
        self.blocks = chance.randint(2, 6)
        values = rng.integers(-3, 4, (self.blocks, TILE)) if exact else rng.standard_normal((self.blocks, TILE))
        self.x, self.acc = values.astype(dtype), rng.integers(-9, 10, ALL).astype(dtype)
        self.expected = self.acc.copy()
        lines = [line for _ in range(chance.randint(1, 3)) for line in self.phase(chance)]
        head, tail = (text.replace("BLOCKS", str(self.blocks)).replace("SIZE", str(dtype.itemsize)) for text in (HEAD, TAIL))
        self.source = "".join(part.replace("DTYPE", dtype.name) for part in (head, *(f"    {line}\n" for line in lines), tail))

    def phase(self, chance):
        size = self.x.itemsize
        ops = [chance.choice(list(OPS)) for _ in range(REGIONS)]
        for block in range(self.blocks):
            yield f"if me == {block}:"
            yield "    pass"
            for _ in range(chance.randint(0, 4)):
                region, times = chance.randrange(REGIONS), chance.choice([1, 1, 3])
                start = chance.randrange(REGION)
                count = chance.randint(1, min(REGION - start, 40))
                source = chance.randrange((TILE - count) * size // 32 + 1) * 32 // size
                op, at = ops[region], region * REGION + start
                for _ in range(times):
                    part = self.expected[at : at + count]
                    part[:] = OPS[op](part, self.x[block, source : source + count])
                yield f"    asc.set_atomic_{op}(asc.DTYPE)"
                yield f"    for _ in range({times}):"
                yield f"        asc.data_copy_pad(acc_gm[{at}], tile[{source}:], asc.DataCopyExtParams(1, {count * size}, 0, 0, 0))"
        yield "asc.sync_all()"

    def run(self, kernel, **options):
        acc, out = self.acc.copy(), np.zeros((self.blocks, ALL), self.acc.dtype)
        kernel.options(**options)[self.blocks](self.x.ravel(), acc, out.ravel())
        assert (out == acc).all(), "a block has seen something else than what is there in the end"
        return acc


def check(seed: int):
    dtype = np.dtype(random.Random(seed).choice([np.int8, np.int16, np.int32, np.float16, np.float32]))
    written = Written(seed, dtype, exact=True)
    kernel = load(written.source).kernel
    for options in [{}, {"threads": 1}, {"threads": 5, "check": False}, *({"check": "adversarial", "seed": k} for k in range(3))]:
        np.testing.assert_array_equal(written.run(kernel, **options), written.expected, f"seed {seed} {options}\n{written.source}")

    rounded = Written(seed, np.dtype([np.float16, np.float32][seed % 2]), exact=False)
    kernel = load(rounded.source).kernel
    first = rounded.run(kernel)
    for options in ({"threads": 1}, {"threads": 5}, {"check": False}, {"data_cache": True}):
        np.testing.assert_array_equal(rounded.run(kernel, **options), first, f"seed {seed} {options}\n{rounded.source}")


@pytest.mark.parametrize("first", range(0, 40, 20))
def test_random_atomics(first):
    for seed in range(first, first + 20):
        check(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(40, 1000, 160))
def test_a_thousand_random_atomics(first):
    for seed in range(first, first + 160):
        check(seed)
