# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Lists of tensors as one argument of a kernel: ListTensorDesc and TensorDesc (01-memory section 9).
import warnings

import asc
import numpy as np
import pyasc
import pytest
from support.kernel_file import load
from support.refusals import diagnostics_of, text_of


@asc.jit
def add_all(out: asc.GlobalAddress, tensors: asc.GlobalAddress, n: int):
    """out = the sum of all tensors of a list."""
    tensors_list = asc.ListTensorDesc(tensors)
    out_gm, gm = asc.GlobalTensor(), asc.GlobalTensor()
    out_gm.set_global_buffer(out, n)
    total, tile = asc.LocalTensorAuto(asc.float32, n), asc.LocalTensorAuto(asc.float32, n)
    asc.duplicate(total, 0.0, n)
    for i in range(tensors_list.get_size()):
        gm.set_global_buffer(tensors_list.get_data_ptr(i, asc.float32), n)
        asc.data_copy(tile, gm, n)
        asc.add(total, total, tile, n)
    asc.data_copy(out_gm, total, n)


@pytest.mark.parametrize("count", [1, 2, 7])
def test_sum_of_a_list(count):
    tensors = [np.arange(64, dtype=np.float32) * (k + 1) for k in range(count)]
    before = [tensor.copy() for tensor in tensors]
    out = np.zeros(64, np.float32)
    add_all[1](out, tensors, 64)
    assert (out == sum(before)).all()
    assert all((a == b).all() for a, b in zip(tensors, before, strict=True))


def test_a_tuple_an_array_twice_and_copies():
    x = np.arange(128, dtype=np.float32)
    out = np.zeros(64, np.float32)
    with pytest.warns(Warning, match="not contiguous"):
        add_all[1](out, (x[:64], x[::2], x[:64]), 64)
    assert (out == 2 * x[:64] + x[::2]).all()


def test_tensors_of_the_host_api():
    x = np.arange(64, dtype=np.float32)
    out = pyasc.Tensor((64,), pyasc.float32)
    add_all[1](out, [pyasc.from_numpy(x), x], 64)
    assert (out.to_numpy() == 2 * x).all()


def test_lists_in_a_stream():
    """The list is as it was when it was given to the stream; tensors wait for it, and arrays of the host make the call wait."""
    x = np.arange(64, dtype=np.float32)
    stream = pyasc.Stream()
    out, tensors = pyasc.Tensor((64,), pyasc.float32), [pyasc.from_numpy(x), pyasc.from_numpy(x + 1)]
    add_all[1, stream](out, tensors, 64)
    tensors.clear()
    assert (out.to_numpy() == 2 * x + 1).all()
    other = np.arange(16, dtype=np.int32)
    written = pyasc.Tensor((16,), pyasc.int32)
    writer()[1, stream]([written, pyasc.Tensor((16,), pyasc.int32)], pyasc.from_numpy(other))
    assert (written.to_numpy() == other).all()
    of_host = [np.zeros(16, np.int32)]
    writer()[1, stream](of_host, pyasc.from_numpy(other))
    assert (of_host[0] == other).all() and stream.query()


def test_a_list_may_change_while_the_launch_is_made():
    """Its arrays live until the launch is over."""
    x = np.arange(128, dtype=np.float32)
    tensors = [x[::2], *(np.full(64, k, np.float32) for k in (1, 2))]
    out, others = np.zeros(64, np.float32), []

    def clear(*_, **__):
        tensors.clear()
        others.extend(np.full(64, 9, np.float32) for _ in range(50))  # in the place of the arrays, if these have gone

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = clear
        add_all[1](out, tensors, 64)
    assert others and (out == x[::2] + 3).all()


def test_the_next_launch_has_another_list():
    out = np.zeros(64, np.float32)
    for size in (3, 1, 2):
        add_all[1](out, [np.full(64, k, np.float32) for k in range(size)], 64)
        assert (out == sum(range(size))).all()


DESCRIBE = """import asc


@asc.jit
def kernel(out: asc.GlobalAddress, tensors: asc.GlobalAddress, n: int):
    out_gm = asc.GlobalTensor()
    out_gm.set_global_buffer(out, 64)
    listed = asc.ListTensorDesc()
    listed.init(tensors)
    shape = asc.array(asc.uint64, 4, 99)
    desc = asc.TensorDesc(asc.int32)
    desc.set_shape_addr(shape)
    for i in range(listed.get_size()):
        listed.get_desc(desc, i)
        place = i * 16
        out_gm.set_value(place, desc.get_dim())
        out_gm.set_value(place + 1, desc.get_index())
        for d in range(desc.get_dim()):
            out_gm.set_value(place + 2 + d, desc.get_shape(d))
        for d in range(4):
            out_gm.set_value(place + 6 + d, shape[d])
        gm = asc.GlobalTensor()
        gm.set_global_buffer(desc.get_data_ptr(), 4)
        out_gm.set_value(place + 10, gm.get_value(1))
        out_gm.set_value(place + 11, desc.get_data_obj().get_value(2))
        out_gm.set_value(place + 12, desc.get_data_obj().get_size())
    listed.get_desc(desc, n)
    out_gm.set_value(63, desc.get_index())
"""


def test_descriptions():
    tensors = [np.arange(6, dtype=np.int32).reshape(2, 3), 10 * np.arange(20, dtype=np.int32).reshape(5, 4)]
    out = np.full(64, -1, np.int64)
    load(DESCRIBE).kernel[1](out, tensors, 1)
    assert out[:13].tolist() == [2, 0, 2, 3, -1, -1, 2, 3, 99, 99, 1, 2, 24]
    assert out[16:29].tolist() == [2, 1, 5, 4, -1, -1, 5, 4, 99, 99, 10, 20, 80]
    assert out[63] == 1


def test_the_descriptor_is_laid_out_in_memory():
    text = """import asc


@asc.jit
def kernel(out: asc.GlobalAddress, tensors: asc.GlobalAddress, n: int):
    out_gm, words = asc.GlobalTensor(), asc.GlobalTensor()
    out_gm.set_global_buffer(out, 16)
    words.set_global_buffer(tensors, n)
    for i in range(n):
        out_gm.set_value(i, words.get_value(i))
"""
    kernel = load(text).kernel
    shapes = [np.zeros((2, 3), np.int32), np.zeros((5, 4), np.int32)]
    out = np.zeros(16, np.uint64)
    kernel[1](out, shapes, 9)
    assert out[:7].tolist() == [7 * 8, 2 << 32 | 2, 2, 3, 1 << 32 | 2, 5, 4] and out[7] != out[8]
    # tensors that differ in their dimensions have no shapes
    kernel[1](out, [np.zeros(3, np.int32), shapes[0], shapes[1]], 6)
    assert out[:3].tolist() == [24, 3 << 32, 0xFFFFFFFF] and len(set(out[3:6].tolist())) == 3


WRITE = """import asc


@asc.jit
def kernel(tensors: asc.GlobalAddress, other: asc.GlobalAddress):
    listed = asc.ListTensorDesc(data=tensors, length=LENGTH, shape_size=COUNT)
    gm, src = asc.GlobalTensor(), asc.GlobalTensor()
    src.set_global_buffer(other, 16)
    tile = asc.LocalTensorAuto(asc.int32, 16)
    asc.data_copy(tile, src, 16)
    gm.set_global_buffer(listed.get_data_ptr(asc.get_block_idx(), asc.int32), 16)
    asc.data_copy(gm, tile, 16)
"""


def writer(length="4294967295", count="4294967295"):
    return load(WRITE.replace("LENGTH", length).replace("COUNT", count)).kernel


@pytest.mark.parametrize("check", [True, False])
def test_tensors_of_a_list_are_written(check):
    other = np.arange(16, dtype=np.int32)
    tensors = [np.zeros(16, np.int32) for _ in range(8)]
    writer().options(check=check)[8](tensors, other)
    assert all((tensor == other).all() for tensor in tensors)


def test_a_strided_tensor_is_written_back():
    base, other = np.zeros(32, np.int32), np.arange(16, dtype=np.int32)
    with pytest.warns(Warning, match="copied for the launch, and back"):
        writer()[1]([base[::2]], other)
    assert (base[::2] == other).all() and not base[1::2].any()


def test_length_and_number_are_checked():
    tensors, other = [np.zeros(16, np.int32)] * 2, np.arange(16, dtype=np.int32)
    bytes_of_both = str((1 + 2 * 2 + 2) * 8)
    writer(bytes_of_both, "2")[1](tensors, other)
    found = diagnostics_of(lambda: writer("8", "2")[1](tensors, other))
    assert found[0].code == "M108" and "has 56 bytes, and length is 8" in found[0].message
    found = diagnostics_of(lambda: writer(bytes_of_both, "3")[1](tensors, other))
    assert found[0].code == "M108" and "has 2 tensors, and shape_size is 3" in found[0].message


def test_what_the_list_does_not_have():
    other = np.arange(16, dtype=np.int32)
    for check in (True, False):
        kernel = writer().options(check=check)
        found = diagnostics_of(lambda: kernel[2]([np.zeros(16, np.int32)], other))  # noqa: B023
        assert found[0].code == "M108" and "tensor 1 of the list tensors, expected 0 to 0" in found[0].message
        found = diagnostics_of(lambda: kernel[1](np.zeros(16, np.uint64), other))  # noqa: B023
        assert found[0].code == "M108" and "no list" in found[0].message
    describe = load(DESCRIBE).kernel
    found = diagnostics_of(lambda: describe[1](np.zeros(64, np.int64), [np.zeros(4, np.int32), np.zeros((2, 2), np.int32)], 0))
    assert found[0].code == "M108" and "different numbers of dimensions" in text_of(found[0])
    found = diagnostics_of(lambda: describe[1](np.zeros(64, np.int64), [np.zeros((1,) * 4 + (8,), np.int32)], 0))
    assert found[0].code == "M106", "the array for the shape is too short"


def test_bytes_beyond_a_tensor_of_a_list():
    found = diagnostics_of(lambda: writer()[1]([np.zeros(8, np.int32)], np.arange(16, dtype=np.int32)))
    assert found[0].code == "M101"


@pytest.mark.parametrize(
    ("argument", "code", "what"),
    [
        ([], "K120", "got []"),
        ([1, 2], "K120", "expected an array"),
        ([np.zeros(16, np.int32), 1], "K120", "item 1 is 1 of type int"),
        ([np.zeros(16, np.int32)] * 16385, "K120", "a list of 16385 tensors, expected at most 16384"),
        ([np.zeros(16, np.int32), [np.zeros(16, np.int32)]], "K120", "item 1"),
        ([np.zeros(16, np.complex64)], "K121", "complex64"),
        ([np.zeros(16, np.int32), np.broadcast_to(np.int32(0), 16)], "K130", "read-only"),
    ],
)
def test_arguments_that_are_no_lists_of_tensors(argument, code, what):
    found = diagnostics_of(lambda: writer()[1](argument, np.arange(16, dtype=np.int32)))
    assert found[0].code == code and what in found[0].message


def test_overlapping_tensors_are_refused_where_they_are_written():
    x = np.zeros(32, np.int32)
    found = diagnostics_of(lambda: writer()[1]([x[:16], x[8:24]], np.arange(16, dtype=np.int32)))
    assert found[0].code == "K131"


def test_compile_takes_mocks():
    from asc.runtime.jit import MockTensor

    assert "ListTensorDesc" in writer().compile([MockTensor(asc.int32)], MockTensor(asc.int32)).ascendc


def test_races_between_blocks_are_found():
    """Both blocks write the same tensor of the list."""
    text = WRITE.replace("LENGTH", "4294967295").replace("COUNT", "4294967295").replace("asc.get_block_idx()", "0")
    found = diagnostics_of(lambda: load(text).kernel[2]([np.zeros(16, np.int32)], np.arange(16, dtype=np.int32)))
    assert found[0].code == "S303"


def test_blocks_that_read_what_others_write_run_one_after_the_other():
    """With any number of threads, blocks see the same bytes: tensors of a list count as one array."""
    text = """import asc


@asc.jit
def kernel(tensors: asc.GlobalAddress, workspace: asc.GlobalAddress):
    listed = asc.ListTensorDesc(tensors)
    gm = asc.GlobalTensor()
    gm.set_global_buffer(listed.get_data_ptr(1, asc.int32), 1)
    gm.set_value(0, gm.get_value(0) + 1)
"""
    kernel = load(text).kernel.options(check=False)
    for _ in range(3):
        tensors = [np.zeros(1, np.int32), np.zeros(1, np.int32)]
        kernel[1](tensors, np.zeros(8, np.int32))
        assert tensors[1][0] == 1 and tensors[0][0] == 0


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("desc = asc.TensorDesc()\nif n > 3:\n    desc.set_shape_addr(asc.array(asc.uint64, 4))", "L305"),
        ("desc = asc.TensorDesc()\ndesc.set_shape_addr(asc.array(asc.int32, 4))", "T103"),
        ("asc.ListTensorDesc(n)", "T103"),
        ("listed = asc.ListTensorDesc(x)\nlisted.get_desc(listed, 0)", "T103"),
        ("listed = asc.ListTensorDesc(x)\nlisted.get_data_ptr(0)", "L401"),
        ("describe(asc.ListTensorDesc(x), asc.TensorDesc())", "L306"),
        ("listed = asc.ListTensorDesc()\ngm.set_value(0, listed.get_size())", "M108"),
        ("desc = asc.TensorDesc()\ngm.set_value(0, desc.get_dim())", "M108"),
    ],
)
def test_what_is_refused(lines, code):
    text = """import asc


@asc.jit
def describe(listed, desc):
    listed.get_desc(desc, 0)


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x, 16)
""" + "".join(f"    {line}\n" for line in lines.split("\n"))
    found = diagnostics_of(lambda: load(text).kernel[1](np.zeros(16, np.uint64), 5))
    assert found[0].code == code
