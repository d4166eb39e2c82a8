# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# data_copy_pad between global memory and the unified buffer: all forms, every element type, every byte of the destination; set_pad_value.
import numpy as np
import pytest
from support.dtypes import FLOATS, NUMPY, assert_same, random_array
from support.kernel_file import load
from support.refusals import diagnostics_of

BYTES = 64 * 1024  # of the local tensor
FORMS = {  # the structs of the wide and of the older form
    "ext": ("asc.DataCopyExtParams(blocks, length, src_gap, dst_gap)", "asc.DataCopyPadExtParams(asc.{dtype}, {pad}, left, right, value)"),
    "plain": ("asc.DataCopyParams(blocks, length, src_gap, dst_gap)", "asc.DataCopyPadParams({pad}, left, right, value)"),
}
BLOCKS = [  # number, elements, gap in global memory in bytes, gap in the unified buffer in units of 32 bytes
    (1, 20, 0, 0),
    (3, 47, 0, 1),
    (3, 64, 5, 1),
    (4, 32, 0, 0),
    (5, 1, 31, 0),
    (0, 4, 1, 1),
    (7, 0, 1, 1),
    (2, 1000, 9, 3),
    (100, 33, 0, 0),
]


def kernel_of(dtype: str, copy: str, extra: str = "", params: str = "left: int, right: int, value"):
    """A kernel that loads the whole of a local tensor, copies with `copy` between it and `gm`, and stores it to `out`."""
    size = BYTES // NUMPY[dtype].itemsize
    return load(f"""import asc


@asc.jit
def kernel(local_in: asc.GlobalAddress, gm_in: asc.GlobalAddress, gm_size: int, gm_offset: int, local_offset: int,
           blocks: int, length: int, src_gap: int, dst_gap: int, {params}):
    local_gm, gm = asc.GlobalTensor(), asc.GlobalTensor()
    local_gm.set_global_buffer(local_in, {size})
    gm.set_global_buffer(gm_in, gm_size)
    local = asc.LocalTensor(asc.{dtype}, asc.TPosition.VECIN, 0, {size})
    asc.data_copy(local, local_gm, {size})
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
{extra}    {copy}
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(local_gm, local, {size})
""").kernel


def load_of(dtype: str, form: str, pad: bool) -> str:
    copy, padding = FORMS[form]
    return f"asc.data_copy_pad(local[local_offset], gm[gm_offset], {copy}, {padding.format(dtype=dtype, pad=pad)})"


def filled(local, gm, itemsize, blocks, length, gm_gap, local_gap, left, right, fill) -> None:
    """Both memories as bytes: each block with its paddings takes whole units of 32 bytes; `fill(block)` is what is put around it."""
    width = -(-(left + length + right) * itemsize // 32) * 32
    size = length * itemsize
    for i in range(blocks if length else 0):
        data = gm[i * (size + gm_gap) :][:size]
        start = i * (width + 32 * local_gap)
        element = fill(data)
        local[start : start + width] = np.resize(element, width)
        local[start + left * itemsize :][:size] = data


def cases(itemsize: int):
    most = 32 // itemsize
    for n, case in enumerate(BLOCKS):
        yield *case, *[(0, 0), (most, 0), (0, most), (1, most - 1), (most - 1, most - 1)][n % 5]
    yield 1, 20, 0, 0, 1, 1


def run_load(kernel, dtype, case, value, fill) -> None:
    blocks, length, gm_gap, local_gap, left, right = case
    itemsize = NUMPY[dtype].itemsize
    rng = np.random.default_rng(blocks * 1000 + length)
    local = random_array(rng, dtype, BYTES // itemsize)
    for gm_offset, local_offset in ((0, 0), (3, 5 * 32 // itemsize)):
        gm = random_array(rng, dtype, gm_offset + blocks * (length + gm_gap) + 1)
        want = local.copy()
        filled(
            want[local_offset:].view(np.uint8),
            gm[gm_offset:].view(np.uint8),
            itemsize,
            blocks,
            length,
            gm_gap,
            local_gap,
            left,
            right,
            fill,
        )
        got, before = local.copy(), gm.copy()
        kernel[1](got, gm, gm.size, gm_offset, local_offset, blocks, length * itemsize, gm_gap, local_gap, left, right, value)
        assert_same(got, want, f"data_copy_pad {dtype} {case} at {gm_offset}, {local_offset}")
        assert_same(gm, before, "the source")


def value_of(dtype: str, form: str):
    """A value for the paddings of an element type, as Python passes it, and as an element."""
    t = NUMPY[dtype]
    if t.itemsize == 8 or dtype == "bool_":
        return 0, t.type(0)
    if form == "ext" and dtype in FLOATS:
        return -9.5, t.type(-9.5)
    if form == "plain" and dtype in FLOATS:
        return int(t.type(-9.5).view(f"uint{t.itemsize * 8}")), t.type(-9.5)
    return 117, t.type(117)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", NUMPY)
def test_padded_blocks(dtype, form):
    """is_pad: paddings, and what is free behind them, hold the value."""
    kernel = kernel_of(dtype, load_of(dtype, form, pad=True))
    value, element = value_of(dtype, form)
    for case in cases(NUMPY[dtype].itemsize):
        run_load(kernel, dtype, case, value, lambda _: np.array([element]).view(np.uint8))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", NUMPY)
def test_filled_with_the_first_element(dtype, form):
    """Without is_pad and paddings; 64-bit elements are moved as two of 32 bits."""
    itemsize = NUMPY[dtype].itemsize
    kernel = kernel_of(dtype, load_of(dtype, form, pad=False))
    for *case, _, _ in cases(itemsize):
        run_load(kernel, dtype, (*case, 0, 0), 0, lambda data: data[: min(itemsize, 4)])


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "float16", "bfloat16", "int32", "float32"])
def test_set_pad_value(dtype):
    """It is taken without is_pad, with and without paddings."""
    kernel = kernel_of(dtype, load_of(dtype, "ext", pad=False), f"    asc.set_pad_value(value, asc.{dtype})\n")
    value, element = value_of(dtype, "ext")
    for case in cases(NUMPY[dtype].itemsize):
        run_load(kernel, dtype, case, value, lambda _: np.array([element]).view(np.uint8))


@pytest.mark.parametrize("value, bits", [("1234567", 1234567), ("2.5", 0x40200000)])
def test_set_pad_value_without_a_dtype(value, bits):
    """An int is an int32, a float a float32, whatever is copied: narrower elements get the low bits."""
    for dtype in ("uint16", "uint32"):
        kernel = kernel_of(dtype, load_of(dtype, "ext", pad=False), f"    asc.set_pad_value({value}, asc.TPosition.VECIN)\n")
        element = np.array([bits & (2 ** (8 * NUMPY[dtype].itemsize) - 1)], NUMPY[dtype])
        run_load(kernel, dtype, (2, 20, 0, 0, 0, 1), 0, lambda _: element.view(np.uint8))  # noqa: B023


def test_a_padding_value_stays_in_the_register():
    """is_pad writes the register of set_pad_value: paddings without is_pad are filled with it; a block without paddings is not."""
    earlier = "    asc.data_copy_pad(local[16384], gm, asc.DataCopyExtParams(1, 4), asc.DataCopyPadExtParams(asc.int16, True, 0, 0, 77))\n"
    kernel = kernel_of("int16", load_of("int16", "ext", pad=False), earlier)
    local, gm = np.zeros(BYTES // 2, np.int16), np.arange(1, 21, dtype=np.int16)
    kernel[1](local, gm, 20, 0, 0, 1, 40, 0, 0, 2, 3, 0)
    assert list(local[:32]) == [77, 77, *gm, *[77] * 10]
    kernel[1](local, gm, 20, 0, 0, 1, 40, 0, 0, 0, 0, 0)
    assert list(local[:32]) == [*gm, *[1] * 12]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", NUMPY)
def test_to_global_memory(dtype, form):
    """Only the data of the blocks is written; in the unified buffer a block starts every whole 32 bytes."""
    itemsize = NUMPY[dtype].itemsize
    kernel = kernel_of(dtype, f"asc.data_copy_pad(gm[gm_offset], local[local_offset], {FORMS[form][0]})", params="unused: int = 0")
    rng = np.random.default_rng(itemsize)
    local = random_array(rng, dtype, BYTES // itemsize)
    for blocks, length, gm_gap, local_gap in BLOCKS:
        for gm_offset, local_offset in ((0, 0), (3, 5 * 32 // itemsize)):
            gm = random_array(rng, dtype, gm_offset + blocks * (length + gm_gap) + 1)
            want, source = gm.copy(), local[local_offset:].view(np.uint8)
            bytes_, width = length * itemsize, -(-length * itemsize // 32) * 32
            for i in range(blocks if length else 0):
                start = gm_offset * itemsize + i * (bytes_ + gm_gap)
                want.view(np.uint8)[start : start + bytes_] = source[i * (width + 32 * local_gap) :][:bytes_]
            before = local.copy()
            kernel[1](local, gm, gm.size, gm_offset, local_offset, blocks, bytes_, local_gap, gm_gap)
            assert_same(gm, want, f"data_copy_pad {dtype} {(blocks, length, gm_gap, local_gap)} at {gm_offset}, {local_offset}")
            assert_same(local, before, "the source")


EFFECTS = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    z_gm.set_global_buffer(z, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy_pad(tile, x_gm, asc.DataCopyExtParams(1, 20), asc.DataCopyPadExtParams(asc.float32))
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy_pad(z_gm, tile, asc.DataCopyExtParams(1, {bytes}))
"""


def test_filled_bytes_are_initialised():
    """20 bytes are filled up to 32; what is behind them is not written."""
    x, z = np.arange(64, dtype=np.float32), np.full(64, -1, np.float32)
    load(EFFECTS.format(bytes=32)).kernel[1](x, z)
    assert list(z[:9]) == [0, 1, 2, 3, 4, 0, 0, 0, -1]
    found = diagnostics_of(lambda: load(EFFECTS.format(bytes=36)).kernel[1](x, z))
    assert found[0].code == "M301" and "32..35" in found[0].message


RACES = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    z_gm.set_global_buffer(z, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.pipe_barrier(asc.PipeID.PIPE_MTE2)
    asc.data_copy(z_gm, tile[{other}], 8)
    asc.data_copy_pad(tile, x_gm, asc.DataCopyExtParams(2, 20, 0, 1), asc.DataCopyPadExtParams(asc.float32))
"""


@pytest.mark.parametrize("other, races", [(0, True), (8, False), (16, True), (24, False)])
def test_races_on_the_bytes_of_the_blocks(other, races):
    """Two blocks with a gap of 32 bytes: the gap is free for others, the filled bytes are not."""
    kernel = load(RACES.format(other=other)).kernel
    arrays = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    if races:
        assert diagnostics_of(lambda: kernel[1](*arrays))[0].code == "S301"
    else:
        kernel[1](*arrays)


def test_cycles_grow_with_the_packets():
    """Rows of 480 bytes are four packets each, rows of 512 bytes one."""
    kernel = kernel_of("float32", load_of("float32", "ext", pad=False))
    local, gm = np.zeros(BYTES // 4, np.float32), np.zeros(16 * 128, np.float32)

    def cycles(length: int, gap: int) -> int:
        kernel[1](local, gm, gm.size, 0, 0, 16, length, gap, 0, 0, 0, 0.0)
        return kernel.last_launch.cycles

    whole, parts = cycles(512, 0), cycles(480, 32)
    per_packet, bytes_per_cycle = 3.3, 68.5  # of one core, from memory
    assert abs(parts - whole - 16 * (4 * per_packet - 512 / bytes_per_cycle)) <= 1
