# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# LocalTensorAuto and insert_sync: what the compiler plans and inserts is complete (no finding of any checker, right results), and where
# addresses are known while compiling nothing of it can be left out.
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import asc
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from pyasc.errors import CheckError
from support.kernel_file import load
from twins import flags, global_memory, masks, pipes, scalar_unit, within_pipes
from twins.pair import pairs_of, twins_of

T = 256  # elements of a tile
both_modes = pytest.mark.parametrize("auto_sync", [True, False], ids=["auto_sync", "strict"])


@asc.jit
def buffer(address, size):
    tensor = asc.GlobalTensor()
    tensor.set_global_buffer(address, size)
    return tensor


# ---------------------------------------------------------------- kernels: x and y come in, z goes out, n is a number


@asc.jit
def straight(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    a = asc.LocalTensorAuto(x.dtype, T)
    b = asc.LocalTensorAuto(x.dtype, T)
    asc.data_copy(a, buffer(x, T), T)
    asc.data_copy(b, buffer(y, T), T)
    asc.add(a, a, b, T)
    asc.data_copy(buffer(z, T), a, T)


@asc.jit
def tiles(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm, y_gm, z_gm = buffer(x, n), buffer(y, n), buffer(z, n)
    for i in range(0, n, T):
        count = min(T, n - i)
        a, b, c = asc.LocalTensorAuto(x.dtype, T), asc.LocalTensorAuto(x.dtype, T), asc.LocalTensorAuto(x.dtype, T)
        asc.data_copy(a, x_gm[i], count)
        asc.data_copy(b, y_gm[i], count)
        asc.add(c, a, b, count)
        asc.data_copy(z_gm[i], c, count)


@asc.jit
def tiles_of_blocks(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """Tiles go round the blocks; tensors are made once."""
    x_gm, y_gm, z_gm = buffer(x, n), buffer(y, n), buffer(z, n)
    a, b = asc.LocalTensorAuto(x.dtype, T), asc.LocalTensorAuto(x.dtype, T)
    for i in range(asc.get_block_idx() * T, n, asc.get_block_num() * T):
        count = T
        if n - i < T:
            count = n - i
        asc.data_copy(a, x_gm[i], count)
        asc.data_copy(b, y_gm[i], count)
        asc.add(a, a, b, count)
        asc.data_copy(z_gm[i], a, count)


@asc.jit
def nested(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """z[row] = x[row] + sum of the rows of y above."""
    rows = n // T
    x_gm, y_gm, z_gm = buffer(x, n), buffer(y, n), buffer(z, n)
    for row in range(rows):
        total = asc.LocalTensorAuto(x.dtype, T)
        asc.data_copy(total, x_gm[row * T], T)
        for other in range(row):
            part = asc.LocalTensorAuto(x.dtype, T)
            asc.data_copy(part, y_gm[other * T], T)
            asc.add(total, total, part, T)
        asc.data_copy(z_gm[row * T], total, T)


@asc.jit
def branches(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    a, b = asc.LocalTensorAuto(x.dtype, T), asc.LocalTensorAuto(x.dtype, T)
    x_gm, y_gm, z_gm = buffer(x, n), buffer(y, n), buffer(z, n)
    for i in range(0, n, T):
        asc.data_copy(a, x_gm[i], T)
        if i % 512 == 0:
            asc.data_copy(b, y_gm[i], T)
            asc.add(a, a, b, T)
        else:
            asc.adds(a, a, 1, T)
        asc.data_copy(z_gm[i], a, T)


@asc.jit
def while_loop(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm, y_gm, z_gm = buffer(x, n), buffer(y, n), buffer(z, n)
    a = asc.LocalTensorAuto(x.dtype, T)
    b = asc.LocalTensorAuto(x.dtype, T)
    i = 0
    while i < n:
        asc.data_copy(a, x_gm[i], T)
        asc.data_copy(b, y_gm[i], T)
        asc.add(b, a, b, T)
        asc.data_copy(z_gm[i], b, T)
        i += T


@asc.jit
def scalar_test(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """The test of the loop reads what the loop computes: rounds are counted in the tensor."""
    a, turns = asc.LocalTensorAuto(x.dtype, T), asc.LocalTensorAuto(asc.int32, 8)
    asc.data_copy(a, buffer(x, T), T)
    asc.duplicate(turns, 0, 8)
    while turns.get_value(3) < n // T - 1:
        asc.adds(a, a, 1, T)
        asc.adds(turns, turns, 1, 8)
    asc.data_copy(buffer(z, T), a, T)


@asc.jit
def scalars(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """The scalar unit reads what MTE2 loads and V computes, and writes what V reads and MTE3 stores."""
    a, b = asc.LocalTensorAuto(x.dtype, T), asc.LocalTensorAuto(x.dtype, T)
    x_gm, y_gm, z_gm = buffer(x, n), buffer(y, n), buffer(z, n)
    for i in range(0, n, T):
        asc.data_copy(b, y_gm[i], T)
        asc.data_copy(a, x_gm[i], T)
        first = a.get_value(0)
        asc.add(a, a, b, T)
        a.set_value(1, first)
        last = a.get_value(T - 1)
        asc.adds(a, a, 1, T)
        a.set_value(2, last)
        asc.data_copy(z_gm[i], a, T)


@asc.jit
def in_place(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """z is read and written: what one tile stores the next one loads."""
    z_gm = buffer(z, n)
    a = asc.LocalTensorAuto(x.dtype, T)
    asc.data_copy(a, buffer(x, T), T)
    asc.data_copy(z_gm, a, T)
    for i in range(T, n, T):
        b = asc.LocalTensorAuto(x.dtype, T)
        asc.data_copy(b, z_gm[i - T], T)
        asc.adds(b, b, 1, T)
        asc.data_copy(z_gm[i], b, T)


@asc.jit
def within_one_pipe(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """Copies that overwrite each other in part, on chip and in global memory."""
    a = asc.LocalTensorAuto(x.dtype, T)
    asc.data_copy(a, buffer(x, T), T)
    asc.data_copy(a[64], buffer(y, T), 128)
    z_gm = buffer(z, T)
    asc.data_copy(z_gm, a, T)
    asc.data_copy(z_gm[128], a, 128)


@asc.jit
def through(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """MTE2 and MTE3 without V."""
    a = asc.LocalTensorAuto(x.dtype, T)
    for i in range(0, n, T):
        asc.data_copy(a, buffer(x, n)[i], T)
        asc.data_copy(buffer(z, n)[i], a, T)


@asc.jit
def phases(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """Five tensors of 64 KiB, of which three are in use at the same time: the others share their bytes."""
    large = 65536 // x.dtype.sizeof()
    a, b, c = asc.LocalTensorAuto(x.dtype, large), asc.LocalTensorAuto(x.dtype, large), asc.LocalTensorAuto(x.dtype, large)
    d, e = asc.LocalTensorAuto(x.dtype, large), asc.LocalTensorAuto(x.dtype, large)
    asc.data_copy(a, buffer(x, T), T)
    asc.data_copy(b, buffer(y, T), T)
    asc.add(c, a, b, T)
    asc.data_copy(d, buffer(y, T), T)
    asc.add(e, c, d, T)
    asc.data_copy(buffer(z, T), e, T)


@asc.jit
def swapped(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """Two buffers that change their names from round to round."""
    a, b = asc.LocalTensorAuto(x.dtype, T), asc.LocalTensorAuto(x.dtype, T)
    x_gm, z_gm = buffer(x, n), buffer(z, n)
    for i in range(0, n, T):
        asc.data_copy(a, x_gm[i], T)
        asc.adds(a, a, 1, T)
        asc.data_copy(z_gm[i], a, T)
        a, b = b, a


@asc.jit
def many_flags(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """More copies under way than there are flags."""
    x_gm, z_gm = buffer(x, n), buffer(z, n)
    tensors = []
    for i in asc.static_range(8):
        tensors.append(asc.LocalTensorAuto(x.dtype, 32))
        asc.data_copy(tensors[i], x_gm[32 * i], 32)
    for i in asc.static_range(8):
        asc.adds(tensors[i], tensors[i], 1, 32)
    for i in asc.static_range(8):
        asc.data_copy(z_gm[32 * i], tensors[i], 32)


@asc.jit
def accumulate(total, part_gm, count):
    part = asc.LocalTensorAuto(total.dtype, T)
    asc.data_copy(part, part_gm, count)
    asc.add(total, total, part, count)


@asc.jit
def device_functions(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    total = asc.LocalTensorAuto(x.dtype, T)
    asc.duplicate(total, 0, T)
    for i in range(0, n, T):
        accumulate(total, buffer(x, n)[i], T)
        accumulate(total, buffer(y, n)[i], T)
    asc.data_copy(buffer(z, T), total, T)


@asc.jit
def strided(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """Every second block: the blocks in between may be loaded meanwhile."""
    a = asc.LocalTensorAuto(x.dtype, 2 * T)
    b = asc.LocalTensorAuto(x.dtype, T)
    per_block = 32 // x.dtype.sizeof()
    blocks = T // per_block
    asc.data_copy(a, buffer(x, T), asc.DataCopyParams(blocks, 1, 0, 1))
    asc.data_copy(b, buffer(y, T), T)
    asc.data_copy(a[per_block], b, asc.DataCopyParams(blocks, 1, 0, 1))
    asc.data_copy(b, a, T)
    asc.data_copy(buffer(z, T), b, T)


@asc.jit
def fixed_addresses(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """Tensors at addresses of the kernel's own choice that share bytes, and one that the compiler places."""
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, T)
    low, high = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 128), a[128]
    c = asc.LocalTensorAuto(x.dtype, 128)
    for i in range(0, n, T):
        asc.data_copy(a, buffer(x, n)[i], T)
        asc.add(c, low, high, 128)
        asc.data_copy(low, buffer(y, n)[i], 128)
        asc.add(c, c, a, 128)
        asc.data_copy(buffer(z, n)[i], c, 128)


@asc.jit
def scratch_memory(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """What is stored lies where the next instruction has its scratch memory."""
    stored = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 184 * 1024, T)
    a, b = asc.LocalTensorAuto(asc.int32, 64), asc.LocalTensorAuto(asc.int32, 64)
    asc.data_copy(stored, buffer(x, T), T)
    asc.data_copy(buffer(z, T), stored, T)
    asc.duplicate(a, 1, 64)
    asc.duplicate(b, 1, 64)
    asc.set_deq_scale(1.0)
    asc.add_deq_relu(asc.LocalTensorAuto(asc.float16, 64), a, b, 64)


@asc.jit
def own_flags(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """Half of the flags are the kernel's own."""
    a, b = asc.LocalTensorAuto(x.dtype, T), asc.LocalTensorAuto(x.dtype, T)
    asc.set_flag(asc.HardEvent.V_MTE2, 0)
    for i in range(0, n, T):
        asc.wait_flag(asc.HardEvent.V_MTE2, 0)
        asc.data_copy(a, buffer(x, n)[i], T)
        asc.data_copy(b, buffer(y, n)[i], T)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.add(b, a, b, T)
        asc.data_copy(buffer(z, n)[i], b, T)
        asc.set_flag(asc.HardEvent.V_MTE2, 0)
    asc.wait_flag(asc.HardEvent.V_MTE2, 0)


@asc.jit
def beside_queues(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """x and z go through queues, which keep their own order; y does not."""
    pipe = asc.TPipe()
    x_queue, z_queue = asc.TQue(asc.TPosition.VECIN, 2), asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(x_queue, 2, 2 * T * x.dtype.sizeof())
    pipe.init_buffer(z_queue, 2, 2 * T * x.dtype.sizeof())
    b, one = asc.LocalTensorAuto(x.dtype, T), asc.LocalTensorAuto(x.dtype, T)
    asc.duplicate(one, 1, T)
    for i in range(0, n, T):
        a = x_queue.alloc_tensor(x.dtype)
        asc.data_copy(a, buffer(x, n)[i], T)
        asc.data_copy(b, buffer(y, n)[i], T)
        x_queue.enque(a)
        a = x_queue.deque(x.dtype)
        c = z_queue.alloc_tensor(x.dtype)
        asc.add(c, a, b, T)
        asc.add(c, c, one, T)
        x_queue.free_tensor(a)
        z_queue.enque(c)
        c = z_queue.deque(x.dtype)
        asc.data_copy(buffer(z, n)[i], c, T)
        z_queue.free_tensor(c)


@asc.jit
def tbufs(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    x_buffer, y_buffer = asc.TBuf(asc.TPosition.VECCALC), asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(x_buffer, 2 * T * x.dtype.sizeof())
    pipe.init_buffer(y_buffer, T * x.dtype.sizeof())
    first, b = x_buffer.get(x.dtype, T), y_buffer.get(x.dtype)
    second = x_buffer.get_with_offset(T, T * x.dtype.sizeof(), x.dtype)
    for i in range(0, n, T):
        asc.data_copy(first, buffer(x, n)[i], T)
        asc.data_copy(b, buffer(y, n)[i], T)
        asc.add(second, first, b, T)
        asc.data_copy(buffer(z, n)[i], second, T)


@asc.jit
def run_time_sizes(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    half = n // 2
    a, b, c = asc.LocalTensorAuto(x.dtype, n), asc.LocalTensorAuto(x.dtype, (half, 2)), asc.LocalTensorAuto(x.dtype, T)
    asc.data_copy(a, buffer(x, n), n)
    asc.data_copy(b, buffer(y, n), n)
    asc.add(b, a, b, n)
    asc.adds(c, b, 0, T)
    asc.data_copy(buffer(z, n), b, n)
    asc.data_copy(buffer(z, n), c, T)


@asc.jit
def run_time_sizes_in_a_loop(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """Each round has tensors of another size."""
    x_gm, y_gm, z_gm = buffer(x, n), buffer(y, n), buffer(z, n)
    start, count = 0, 32
    while start < n:
        if start + count > n:
            count = n - start
        a = asc.LocalTensorAuto(x.dtype, count)
        asc.data_copy(a, x_gm[start], count)
        if count > 64:
            b = asc.LocalTensorAuto(x.dtype, count)
            asc.data_copy(b, y_gm[start], count)
            asc.add(a, a, b, count)
        c = asc.LocalTensorAuto(x.dtype, count)
        asc.adds(c, a, 1, count)
        asc.data_copy(z_gm[start], c, count)
        start += count
        count += 32


# ---------------------------------------------------------------- what they compute


def rows(a):
    return a.reshape(-1, T)


def by_scalars(x, y):
    z = rows(x + y)
    z[:, 1] = rows(x)[:, 0]
    z += 1
    z[:, 2] = z[:, T - 1] - 1
    return z


def by_halves(x, y):
    return np.concatenate([rows(x)[:, :128] + rows(x)[:, 128:] + rows(y)[:, :128], np.zeros((len(x) // T, 128), x.dtype)], axis=1)


def by_growing_tiles(x, y):
    z, start, count = x + 1, 0, 32
    while start < len(x):
        count = min(count, len(x) - start)
        if count > 64:
            z[start : start + count] += y[start : start + count]
        start, count = start + count, count + 32
    return z


@dataclass
class Case:
    """A kernel, its result from x and y in NumPy (the rest of z stays 0), and the sizes and block counts to try."""

    kernel: object
    result: Callable
    sizes: tuple = (T, 2 * T, 5 * T)
    blocks: tuple = (1,)
    dtypes: tuple = (np.float32,)
    is_static: bool = True  # all addresses are known while compiling, so nothing can be left out
    waits_more: bool = False  # S waits for more by the device compiler than insert_sync counts on

    def runs(self):
        rng = np.random.default_rng(0)
        for dtype in self.dtypes:
            for size in self.sizes:
                for blocks in self.blocks:
                    x, y = rng.integers(-50, 50, size).astype(dtype), rng.integers(-50, 50, size).astype(dtype)
                    yield x, y, blocks

    def run(self, x, y, blocks, **options):
        z = np.zeros_like(x)
        self.kernel.options(**options)[blocks](x, y, z, len(x))
        return z

    def expected(self, x, y):
        z = np.zeros_like(x)
        value = np.asarray(self.result(x, y), x.dtype).ravel()
        z[: len(value)] = value
        return z


CASES = [
    Case(straight, lambda x, y: (x + y)[:T], dtypes=(np.float32, np.float16, np.int16, np.int32)),
    Case(tiles, lambda x, y: x + y, sizes=(16, T - 16, T, 5 * T + 64), dtypes=(np.float32, np.float16, np.int16)),
    Case(tiles_of_blocks, lambda x, y: x + y, sizes=(T, 9 * T + 64), blocks=(1, 3)),
    Case(nested, lambda x, y: rows(x) + np.concatenate([np.zeros((1, T)), rows(y).cumsum(axis=0)[:-1]])),
    Case(branches, lambda x, y: np.where(np.arange(len(x)) // T % 2 == 0, x + y, x + 1)),
    Case(while_loop, lambda x, y: x + y),
    Case(scalar_test, lambda x, y: x[:T] + len(x) // T - 1, waits_more=True),
    Case(scalars, by_scalars),
    Case(in_place, lambda x, y: np.concatenate([x[:T] + i for i in range(len(x) // T)])),
    Case(within_one_pipe, lambda x, y: np.concatenate([x[:64], y[:64], x[:64], y[:64]])),
    Case(through, lambda x, y: x),
    Case(phases, lambda x, y: x[:T] + y[:T] + y[:T]),
    Case(swapped, lambda x, y: x + 1),
    Case(many_flags, lambda x, y: x[:T] + 1),
    Case(device_functions, lambda x, y: (rows(x) + rows(y)).sum(axis=0)),
    Case(strided, lambda x, y: np.stack([x[:T].reshape(-1, 8), y[:T].reshape(-1, 8)], axis=1).ravel()[:T]),
    Case(fixed_addresses, by_halves),
    Case(scratch_memory, lambda x, y: x[:T]),
    Case(own_flags, lambda x, y: x + y),
    Case(beside_queues, lambda x, y: x + y + 1, dtypes=(np.float32, np.int16)),
    Case(tbufs, lambda x, y: x + y),
    Case(run_time_sizes, lambda x, y: x + y, is_static=False),
    Case(run_time_sizes_in_a_loop, by_growing_tiles, sizes=(32, 512, 2048), is_static=False),
]
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.kernel.__name__)


@both_modes
@every_case
def test_complete(case, auto_sync):
    """All checks are on: a missing flag, or one too many, is a finding."""
    for x, y, blocks in case.runs():
        z = case.run(x, y, blocks, auto_sync=auto_sync, insert_sync=True)
        np.testing.assert_array_equal(z, case.expected(x, y))


STATIC = [(case, auto_sync) for case in CASES for auto_sync in (True, False) if case.is_static and not (auto_sync and case.waits_more)]


@pytest.mark.parametrize(
    "case, auto_sync", STATIC, ids=[f"{case.kernel.__name__}-{'auto_sync' if auto_sync else 'strict'}" for case, auto_sync in STATIC]
)
def test_nothing_can_be_left_out(case, auto_sync):
    x, y, _ = next(case.runs())
    inserted = case.kernel.options(auto_sync=auto_sync, insert_sync=True).compile(x, y, x, len(x)).inserted_sync
    assert inserted
    for number, line in enumerate(inserted):
        if "sets it again" in line:
            continue  # a flag that is set twice is lost on the device; the simulator's own timing does not show it
        codes = set()
        for x, y, blocks in case.runs():
            try:
                case.run(x, y, blocks, auto_sync=auto_sync, insert_sync=True, without_sync=number)
            except CheckError as error:
                codes |= {diagnostic.code for diagnostic in error.diagnostics}
        assert codes & {"S301", "S302"}, f"{line} is not needed"


# ---------------------------------------------------------------- kernels that synchronise themselves, without what they do for it

SYNC = re.compile(r"^( *)(asc\.set_flag|asc\.wait_flag|asc\.pipe_barrier|order)\(.*", re.MULTILINE)
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def stripped(source: str) -> str:
    return SYNC.sub(r"\1pass", source)


@pytest.mark.parametrize("name", ["01_add", "03_tails", "04_axpby"])
def test_examples(name):
    source = stripped((EXAMPLES / f"{name}.py").read_text())
    load(source.replace("@asc.jit\n", "@asc.jit(insert_sync=True)\n")).main()  # it checks its results


STRIPPED = {file: twins_of(file, stripped)[0] for file in (pipes, within_pipes, scalar_unit, flags, masks, global_memory)}
TWINS = [(file, pair) for file in STRIPPED for pair in pairs_of(file) if not pair.ahead]


@both_modes
@pytest.mark.parametrize("file, pair", TWINS, ids=[f"{pair.topic}-{pair.name}" for _, pair in TWINS])
def test_twins(file, pair, auto_sync):
    arrays = pair.arrays()
    pair.run(STRIPPED[file], arrays, auto_sync=auto_sync, insert_sync=True)
    np.testing.assert_array_equal(arrays[2], pair.expected())


# ---------------------------------------------------------------- random kernels

TENSORS = [("t0", "64"), ("t1", "64"), ("t2", "(2, 32)"), ("t3", "size"), ("t4", "2 * size")]  # of 64 or more elements
tensors = st.sampled_from([name for name, _ in TENSORS])
places = st.sampled_from([0, 8, 16, 32])
counts = st.sampled_from([8, 16, 32])
statements = st.one_of(
    st.builds("asc.data_copy({}[{}], x_gm[{}], {})".format, tensors, places, places, counts),
    st.builds("asc.data_copy(z_gm[{}], {}[{}], {})".format, places, tensors, places, counts),
    st.builds("asc.data_copy({}[{}], z_gm[{}], {})".format, tensors, places, places, counts),
    st.builds("asc.adds({0}[{1}], {0}[{1}], {2}, {3})".format, tensors, places, st.integers(-3, 3), counts),
    st.builds("asc.adds({}[{}], {}, 1, {})".format, st.sampled_from(["t0", "t1"]), st.just(32), st.sampled_from(["t2", "t3"]), counts),
    st.builds("asc.add({0}, {0}, {1}[{2}], {3})".format, tensors, st.sampled_from(["t1", "t4"]), st.just(0), counts),
    st.builds("{}.set_value({}, {}.get_value({}))".format, tensors, places, tensors, places),
)


def indented(lines: list) -> list:
    return [f"    {line}" for line in lines]


blocks_of_code = st.recursive(
    st.lists(statements, min_size=1, max_size=5),
    lambda inner: st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda body: ["for _ in range(n):", *indented(body)], inner),
        st.builds(lambda body: ["for _ in range(2):", *indented(body)], inner),
        st.builds(lambda yes, no: ["if n > 1:", *indented(yes), "else:", *indented(no)], inner, inner),
        st.builds(
            lambda name, body: [f"while {name}.get_value(0) < n:", *indented([*body, f"asc.adds({name}, {name}, 1, 64)"])], tensors, inner
        ),
    ),
    max_leaves=4,
)


class Tensor:
    """What a kernel does with tensors, on NumPy arrays."""

    def __init__(self, values):
        self.values = values

    def __getitem__(self, start):
        return Tensor(self.values[start:])

    def get_value(self, index):
        return int(self.values[index])

    def set_value(self, index, value):
        self.values[index] = value


class OnTheHost:
    """The functions of asc that the random kernels call."""

    @staticmethod
    def data_copy(dst, src, count):
        dst.values[:count] = src.values[:count].copy()

    @staticmethod
    def adds(dst, src, scalar, count):
        dst.values[:count] = src.values[:count] + np.int32(scalar)

    @staticmethod
    def add(dst, src0, src1, count):
        dst.values[:count] = src0.values[:count] + src1.values[:count]


class TooLong(Exception):
    pass


def bounded(limit: int):
    """True so many times; then the loop is taken for endless."""
    calls = iter(range(limit))

    def tick():
        if next(calls, None) is None:
            raise TooLong
        return True

    return tick


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@example(  # the scalar unit waits for V once, not in each round
    code=[
        "for _ in range(2):",
        "    asc.add(t1, t1, t1[0], 8)",
        "    t0.set_value(0, t0.get_value(0))",
        "    asc.data_copy(t1[0], x_gm[0], 8)",
    ],
    n=0,
    auto_sync=True,
)
@given(code=blocks_of_code, n=st.integers(0, 3), auto_sync=st.booleans())
def test_random_kernels(code, n, auto_sync):
    made = [f"{name} = asc.LocalTensorAuto(asc.int32, {size})" for name, size in TENSORS]
    filled = [f"asc.duplicate({name}, {i}, 64)" for i, (name, _) in enumerate(TENSORS)]
    head = ["x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()", "x_gm.set_global_buffer(x, 64)", "z_gm.set_global_buffer(z, 64)"]
    body = indented([*head, *made, *filled, *code])
    module = load(
        "\n".join(
            ["import asc", "", "", "@asc.jit", "def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int, size: int):", *body, ""]
        )
    )
    x, z = np.arange(64, dtype=np.int32), np.full(64, -5, np.int32)
    variables = {name: Tensor(np.full(64, i, np.int32)) for i, (name, _) in enumerate(TENSORS)}
    expected = Tensor(z.copy())
    tick = bounded(500)
    counted = [line.replace("while ", "while tick() and ") for line in code]
    try:
        exec("\n".join(counted), {"asc": OnTheHost, "tick": tick, "x_gm": Tensor(x.copy()), "z_gm": expected, "n": n, **variables})
    except TooLong:
        assume(False)
    module.kernel.options(auto_sync=auto_sync)[1](x, z, n, 64)
    np.testing.assert_array_equal(z, expected.values)
