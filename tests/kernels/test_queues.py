# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kernels with TPipe, queues, buffers, pools and event ids: what they compute, with all checks on.
import asc
import numpy as np
import pytest
from support.dtypes import NUMPY

TILE = 256
VECIN, VECOUT, VECCALC, GM = asc.TPosition.VECIN, asc.TPosition.VECOUT, asc.TPosition.VECCALC, asc.TPosition.GM


@asc.jit
def copy_in(queue: asc.TQue, gm, i):
    tile = queue.alloc_tensor(gm.dtype)
    asc.data_copy(tile, gm[i * TILE], TILE)
    queue.enque(tile)


@asc.jit
def copy_out(queue: asc.TQue, gm, i):
    tile = queue.deque(gm.dtype)
    asc.data_copy(gm[i * TILE], tile, TILE)
    queue.free_tensor(tile)


@asc.jit
def compute(inputs, output, dtype):
    first, second = inputs
    x, y = first.deque(dtype), second.deque(dtype)
    z = output.alloc_tensor(dtype)
    asc.add(z, x, y, TILE)
    output.enque(z)
    first.free_tensor(x)
    second.free_tensor(y)


@asc.jit(auto_sync=False)
def add(
    x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, tiles: int, depth: asc.ConstExpr[int], buffers: asc.ConstExpr[int]
):
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    start = asc.get_block_idx() * tiles * TILE
    x_gm.set_global_buffer(x + start, tiles * TILE)
    y_gm.set_global_buffer(y + start, tiles * TILE)
    z_gm.set_global_buffer(z + start, tiles * TILE)
    pipe = asc.TPipe()
    inputs = (asc.TQue(VECIN, depth), asc.TQue(VECIN, depth))
    output = asc.TQue(VECOUT, depth)
    for queue in (*inputs, output):
        pipe.init_buffer(queue, buffers, TILE * x.dtype.sizeof())
    for i in range(tiles):
        copy_in(inputs[0], x_gm, i)
        copy_in(inputs[1], y_gm, i)
        compute(inputs, output, x.dtype)
        copy_out(output, z_gm, i)


@pytest.mark.parametrize("dtype", ["float16", "float32", "int16", "int32"])
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("buffers", [1, 2, 3, 4])
def test_add(dtype, depth, buffers):
    random = np.random.default_rng(depth * 10 + buffers)
    x, y = random.integers(-100, 100, (2, 2 * 5 * TILE)).astype(NUMPY[dtype])
    z = np.zeros_like(x)
    add[2](x, y, z, 5, depth, buffers)
    np.testing.assert_array_equal(z, x + y)


def test_two_buffers_are_faster_than_one():
    x, y = np.ones((2, 40 * TILE), np.float32)
    z = np.zeros_like(x)
    cycles = []
    for buffers in (1, 2):
        add[1](x, y, z, 40, 2, buffers)
        cycles.append(add.last_launch.cycles)
    assert cycles[1] < 0.8 * cycles[0]


@asc.jit
def ahead(x: asc.GlobalAddress, y: asc.GlobalAddress, tiles: int, depth: asc.ConstExpr[int]):
    """`depth` tiles are on their way before the first one is used."""
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, tiles * TILE)
    y_gm.set_global_buffer(y, tiles * TILE)
    pipe = asc.TPipe()
    moved = asc.TQueBind(VECIN, VECOUT, depth)
    pipe.init_buffer(moved, depth, TILE * 4)
    for i in range(depth):
        copy_in(moved, x_gm, i)
    for i in range(tiles):
        copy_out(moved, y_gm, i)
        if i + depth < tiles:
            copy_in(moved, x_gm, i + depth)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 8])
def test_data_that_is_only_moved(depth):
    x = np.arange(20 * TILE, dtype=np.int32)
    y = np.zeros_like(x)
    ahead[1](x, y, 20, depth)
    np.testing.assert_array_equal(y, x)


@asc.jit
def first_in_first_out(out: asc.GlobalAddress, count: int):
    """Marks `count` buffers, and looks at the order in which they come out."""
    out_gm = asc.GlobalTensor()
    out_gm.set_global_buffer(out, 64)
    pipe = asc.TPipe()
    queue = asc.TQue(VECIN, 4)
    pipe.init_buffer(queue, 4, 32)
    out_gm.set_value(0, queue.vacant_in_que().cast(asc.int32))
    out_gm.set_value(1, queue.has_tensor_in_que().cast(asc.int32))
    mark = 0
    while queue.vacant_in_que() and mark < count:
        tile = queue.alloc_tensor(asc.int32)
        tile.set_value(0, mark)
        mark += 1
        queue.enque(tile)
    out_gm.set_value(2, queue.get_tensor_count_in_que())
    out_gm.set_value(3, queue.vacant_in_que().cast(asc.int32))
    out_gm.set_value(4, queue.has_idle_buffer().cast(asc.int32))
    i = 8
    while queue.has_tensor_in_que():
        tile = queue.deque(asc.int32)
        if queue.get_tensor_count_in_que() != 0:
            out_gm.set_value(i, tile.get_value(0))
        else:
            out_gm.set_value(i, tile.get_value(0) + 100)
        queue.free_tensor(tile)
        i += 1
    queue.free_all_event()


@pytest.mark.parametrize("count", [0, 1, 3, 4])
def test_questions_and_order(count):
    out = np.full(64, -1, np.int32)
    first_in_first_out[1](out, count)
    assert list(out[:5]) == [1, 0, count, count < 4, count < 4]
    expected = list(range(count))
    if count:
        expected[-1] += 100
    assert list(out[8 : 8 + count]) == expected
    assert (out[8 + count :] == -1).all()


@asc.jit
def slices(x: asc.GlobalAddress, y: asc.GlobalAddress):
    """Parts of a tensor, and the tensor as another type, go through the queue and back like the tensor."""
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    y_gm.set_global_buffer(y, 64)
    pipe = asc.TPipe()
    queue = asc.TQueBind(VECIN, VECOUT, 1)
    pipe.init_buffer(queue, 1, 256)
    tile = queue.alloc_tensor(asc.int32)
    asc.data_copy(tile, x_gm, 64)
    queue.enque(tile[32])
    tile = queue.deque(asc.int32)
    asc.data_copy(y_gm, tile, 32)
    queue.free_tensor(tile.reinterpret_cast(asc.int16)[8:])
    tile = queue.alloc_tensor(asc.int32)
    asc.data_copy(tile, x_gm[32], 32)
    queue.enque(tile.reinterpret_cast(asc.float16))
    tile = queue.deque(asc.int32)
    asc.data_copy(y_gm[32:], tile, 32)
    queue.free_tensor(tile)


def test_slices_and_other_types():
    x = np.arange(64, dtype=np.int32)
    y = np.zeros_like(x)
    slices[1](x, y)
    np.testing.assert_array_equal(y, x)  # deque gives the whole buffer


@asc.jit
def in_place(x: asc.GlobalAddress, y: asc.GlobalAddress, tiles: int):
    """A queue of depth 0 on one tensor object, and tensors that alloc_tensor and deque fill."""
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, tiles * TILE)
    y_gm.set_global_buffer(y, tiles * TILE)
    pipe = asc.TPipe()
    entry, leave = asc.TQueBind(GM, VECIN, 0), asc.TQue(VECOUT, 1)
    pipe.init_buffer(entry, 2, TILE * 4)
    pipe.init_buffer(leave, 2, TILE * 4)
    for i in range(tiles):
        source, result, taken = asc.LocalTensor(asc.int32), asc.LocalTensor(asc.int32), asc.LocalTensor(asc.int32)
        entry.alloc_tensor(source)
        asc.data_copy(source, x_gm[i * TILE], TILE)
        entry.enque(source)
        entry.deque(source)
        leave.alloc_tensor(tensor=result)
        asc.adds(result, source, 1, TILE)
        entry.free_tensor(source)
        leave.enque(result)
        leave.deque(tensor=taken)
        asc.data_copy(y_gm[i * TILE], taken, TILE)
        leave.free_tensor(taken)


def test_in_place():
    x = np.arange(7 * TILE, dtype=np.int32)
    y = np.zeros_like(x)
    in_place[1](x, y, 7)
    np.testing.assert_array_equal(y, x + 1)


@asc.jit
def scratch(x: asc.GlobalAddress, y: asc.GlobalAddress, parts: int, part: int):
    """Parts of a TBuf at run-time offsets; the TBuf lies behind the queue."""
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 512)
    y_gm.set_global_buffer(y, 512)
    pipe = asc.TPipe()
    queue, buf = asc.TQue(VECIN, 1), asc.TBuf(VECCALC)
    pipe.init_buffer(queue, 1, 2048)
    pipe.init_buffer(buf=buf, num=2048)
    copied = queue.alloc_tensor(asc.int32)
    asc.data_copy(copied, x_gm, 512)
    queue.enque(copied)
    copied = queue.deque(asc.int32)
    for i in range(parts):
        tile = buf.get_with_offset(part, i * part * 4, asc.int32)
        asc.adds(tile, copied[i * part], i, part)
    queue.free_tensor(copied)
    asc.set_flag(asc.HardEvent.V_MTE3, 7)
    asc.wait_flag(asc.HardEvent.V_MTE3, 7)
    asc.data_copy(y_gm, buf.get(asc.int32, 256), 256)
    asc.data_copy(y_gm[256:], buf.get(asc.int32)[256:], 256)


@pytest.mark.parametrize("parts", [1, 2, 8, 64])
def test_parts_of_a_buffer(parts):
    x = np.arange(512, dtype=np.int32)
    y = np.zeros_like(x)
    scratch[1](x, y, parts, 512 // parts)
    np.testing.assert_array_equal(y, x + np.repeat(np.arange(parts), 512 // parts))


@asc.jit
def stage(pool, x_gm, y_gm, n: asc.ConstExpr[int]):
    """Takes a queue from a pool and moves data through it."""
    queue = asc.TQueBind(VECIN, VECOUT, 2)
    pool.init_buffer(queue, 2, TILE * 4)
    for i in range(n):
        copy_in(queue, x_gm, i)
        copy_out(queue, y_gm, i)


@asc.jit
def pools(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress):
    """Two stages in the same memory, one after the other, and one in a pool within a pool."""
    gms = []
    for address in (x, y, z):
        gm = asc.GlobalTensor()
        gm.set_global_buffer(address, 4 * TILE)
        gms.append(gm)
    pipe = asc.TPipe()
    first, second, inner = asc.TBufPool(VECIN), asc.TBufPool(VECCALC), asc.TBufPool(VECOUT, 2)
    pipe.init_buf_pool(first, 96 * 1024)
    pipe.init_buf_pool(second, 96 * 1024, first)
    stage(first, gms[0], gms[1], 4)
    first.reset()
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    stage(second, gms[1], gms[2], 4)
    second.reset()
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    pipe.init_buf_pool(second, 96 * 1024)
    second.init_buf_pool(inner, 32 * 1024)
    stage(inner, gms[2], gms[0], 4)


def test_pools():
    x = np.arange(4 * TILE, dtype=np.int32)
    y, z = np.zeros_like(x), np.zeros_like(x)
    pools[1](x, y, z)
    np.testing.assert_array_equal(x, np.arange(4 * TILE))
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(z, x)


@asc.jit
def ids(out: asc.GlobalAddress):
    out_gm = asc.GlobalTensor()
    out_gm.set_global_buffer(out, 16)
    pipe = asc.TPipe()
    for i in range(3):
        out_gm.set_value(i, pipe.alloc_event_id(asc.HardEvent.V_MTE3))
    pipe.release_event_id(1, asc.HardEvent.V_MTE3)
    out_gm.set_value(3, pipe.fetch_event_id(asc.HardEvent.V_MTE3))
    out_gm.set_value(4, pipe.alloc_event_id(event=asc.HardEvent.V_MTE3))
    out_gm.set_value(5, pipe.alloc_event_id(asc.HardEvent.V_MTE3))
    out_gm.set_value(6, pipe.fetch_event_id())
    out_gm.set_value(7, pipe.get_base_addr(VECIN))


def test_event_ids():
    out = np.full(16, -1, np.int32)
    ids[1](out)
    assert list(out[:8]) == [0, 1, 2, 1, 1, 3, 0, 0]


@asc.jit
def with_pipe(x_gm, y_gm):
    """The TPipe is found by get_tpipe_ptr, and the queue is one of this function."""
    queue = asc.TQueBind(VECIN, VECOUT, 1)
    asc.get_tpipe_ptr().init_buffer(queue, 1, TILE * 4)
    copy_in(queue, x_gm, 0)
    copy_out(queue, y_gm, 0)


@asc.jit
def scopes(x: asc.GlobalAddress, y: asc.GlobalAddress, rounds: int):
    """A TPipe lives as long as the block that makes it: each round has all of the memory. The body is translated twice, as `total` turns
    out to be a float; that makes no second TPipe."""
    total = 0
    for i in range(rounds):
        total += 0.5
        pipe = asc.TPipe()
        x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
        x_gm.set_global_buffer(x + i * TILE, TILE)
        y_gm.set_global_buffer(y + i * TILE, TILE)
        large = asc.TBuf(VECCALC)
        pipe.init_buffer(large, 190 * 1024)
        with_pipe(x_gm, y_gm)
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y, (rounds + 1) * TILE)
    y_gm.set_value(rounds * TILE, (2 * total).cast(asc.int32))


def test_scopes():
    x = np.arange(5 * TILE, dtype=np.int32)
    y = np.zeros(6 * TILE, np.int32)
    scopes[1](x, y, 5)
    np.testing.assert_array_equal(y, [*x, 5, *[0] * (TILE - 1)])


@asc.jit
def nested(x: asc.GlobalAddress, y: asc.GlobalAddress, rows: int, columns: int):
    """One queue in loops, branches and functions at every depth."""
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * columns * TILE)
    y_gm.set_global_buffer(y, rows * columns * TILE)
    pipe = asc.TPipe()
    queues = [asc.TQueBind(VECIN, VECOUT, 2), asc.TQueBind(VECIN, VECOUT, 2)]
    for queue in queues:
        pipe.init_buffer(queue, 2, TILE * 4)
    row = 0
    while row < rows:
        for column in range(columns):
            tile = row * columns + column
            if tile % 2 == 0:
                copy_in(queues[0], x_gm, tile)
                while queues[0].has_tensor_in_que():
                    copy_out(queues[0], y_gm, tile)
            else:
                queue = queues[1]
                copy_in(queue, x_gm, tile)
                if queue.has_tensor_in_que():
                    copy_out(queue, y_gm, tile)
        row += 1


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 5), (0, 4)])
def test_nested(rows, columns):
    x = np.arange(max(rows * columns, 1) * TILE, dtype=np.int32)
    y = np.zeros_like(x)
    nested[1](x, y, rows, columns)
    np.testing.assert_array_equal(y[: rows * columns * TILE], x[: rows * columns * TILE])


@asc.jit
def static_memory(x: asc.GlobalAddress, y: asc.GlobalAddress, out: asc.GlobalAddress, n: int):
    x_gm, y_gm, out_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    out_gm.set_global_buffer(out, 8)
    asc.init_soc_state()
    allocator = asc.LocalMemAllocator(asc.Hardware.UB)
    a = allocator.alloc(VECIN, asc.float32, TILE)
    b = allocator.alloc(VECOUT, asc.float32, n)
    out_gm.set_value(0, allocator.get_cur_addr())
    out_gm.set_value(1, b.get_size())
    asc.data_copy(a, x_gm, n)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.adds(b, a, 1.5, n)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(y_gm, b, n)


def test_allocator():
    x = np.arange(64, dtype=np.float32)
    y, out = np.zeros_like(x), np.zeros(8, np.uint32)
    static_memory[1](x, y, out, 64)
    np.testing.assert_array_equal(y, x + 1.5)
    assert list(out[:2]) == [TILE * 4 + 64 * 4, 64]


@asc.jit
def registers(x: asc.GlobalAddress, y: asc.GlobalAddress, n: int, reset: asc.ConstExpr[bool]):
    """A mask that is left behind, and init_soc_state."""
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    a = asc.LocalTensor(asc.float32, VECIN, 0, 64)
    asc.set_vector_mask(0, 255, dtype=asc.float32, mode=asc.MaskMode.NORMAL)
    if reset:
        asc.init_soc_state()
    asc.data_copy(a, x_gm, n)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.add(a, a, a, 64, 1, asc.BinaryRepeatParams(), is_set_mask=False)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(y_gm, a, n)


@pytest.mark.parametrize("reset", [False, True])
def test_init_soc_state(reset):
    x = np.arange(64, dtype=np.float32)
    y = np.zeros_like(x)
    registers[1](x, y, 64, reset)
    np.testing.assert_array_equal(y, np.where(np.arange(64) < (64 if reset else 8), 2 * x, x))


@asc.jit
def kinds(out: asc.GlobalAddress):
    out_gm = asc.GlobalTensor()
    out_gm.set_global_buffer(out, 16)
    pipe = asc.TPipe()
    queue, bind, buf = asc.TQue(), asc.TQueBind(VECIN, VECOUT, 1), asc.TBuf(VECCALC)
    known = [
        isinstance(queue, asc.TQue),
        isinstance(queue, asc.TQueBind),
        isinstance(bind, asc.TQue),
        isinstance(bind, asc.TQueBind),
        isinstance(buf, asc.TBuf),
        isinstance(pipe, asc.TPipe),
        isinstance(queue, asc.TPipe),
        queue is queue,
        queue is bind,
    ]
    for i in asc.static_range(len(known)):
        out_gm.set_value(i, int(known[i]))


def test_kinds():
    out = np.zeros(16, np.int32)
    kinds[1](out)
    assert list(out[:9]) == [1, 1, 0, 1, 1, 1, 0, 1, 0]


def test_spellings_of_ascend_c_are_the_same_methods():
    @asc.jit
    def small(x: asc.GlobalAddress):
        x_gm = asc.GlobalTensor()
        x_gm.SetGlobalBuffer(x, TILE)
        pipe = asc.TPipe()
        queue = asc.TQueBind(VECIN, VECOUT, 1)
        pipe.InitBuffer(queue, 1, TILE * 4)
        tile = queue.allocTensor(asc.int32)
        asc.data_copy(tile, x_gm, TILE)
        queue.enQue(tile)
        tile = queue.deQue(asc.int32)
        asc.data_copy(x_gm, tile, TILE)
        queue.freeTensor(tile)
        queue.FreeTensor(queue.AllocTensor(asc.int32))

    x = np.arange(TILE, dtype=np.int32)
    small[1](x)
    text = small.compile(x).ascendc
    for method in ("InitBuffer(", "AllocTensor<", "EnQue(", "DeQue<", "FreeTensor("):
        assert method in text


@asc.jit
def until(queue, y_gm, limit):
    """Copies tensors out until one begins with more than `limit`; how many it copied."""
    count = 0
    while True:
        if not queue.has_tensor_in_que():
            return count
        tile = queue.deque(asc.int32)
        if tile.get_value(0) > limit:
            queue.free_tensor(tile)
            break
        asc.data_copy(y_gm[count * 8], tile, 8)
        queue.free_tensor(tile)
        count += 1
    return count


@asc.jit
def leaves_early(x: asc.GlobalAddress, y: asc.GlobalAddress, tiles: int, limit: int):
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    y_gm.set_global_buffer(y, 64)
    pipe = asc.TPipe()
    queue = asc.TQueBind(VECIN, VECOUT, 4)
    pipe.init_buffer(queue, 4, 32)
    if tiles == 0:
        return
    for i in range(tiles):
        if not queue.vacant_in_que():
            break
        tile = queue.alloc_tensor(asc.int32)
        asc.data_copy(tile, x_gm[i * 8], 8)
        queue.enque(tile)
    count = until(queue, y_gm, limit)
    while queue.has_tensor_in_que():
        queue.free_tensor(queue.deque(asc.int32))
    y_gm.set_value(63, count)


@pytest.mark.parametrize(("tiles", "limit", "copied"), [(0, 100, 0), (2, 100, 2), (8, 100, 4), (4, 10, 2), (3, -1, 0)])
def test_loops_that_are_left(tiles, limit, copied):
    x = np.arange(64, dtype=np.int32)
    y = np.zeros_like(x)
    leaves_early[1](x, y, tiles, limit)
    np.testing.assert_array_equal(y[:63], np.where(np.arange(63) < copied * 8, x[:63], 0))
    assert y[63] == copied
