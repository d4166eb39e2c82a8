# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tensors that get another length, place or tag, a tensor of one element, and the memory that a TPipe has not given out.
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.kernel_file import load
from support.refusals import diagnostics_of, text_of
from test_framework import CLANG, COMMAND, without_lines

HEAD = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x, 256)
"""


def kernel_of(lines: str, before: str = ""):
    body = "".join(f"    {line}\n" for line in lines.strip("\n").split("\n"))
    return load(HEAD.replace("\n\n\n@", f"\n\n{before}\n\n@", 1) + body).kernel


def values_of(lines: str, n: int = 5, before: str = "", dtype=np.int32) -> list:
    """What a kernel leaves in the first elements of its array, which begins as 0, 1, 2 ..."""
    x = np.arange(256, dtype=dtype)
    kernel_of(lines, before)[1](x, n)
    return x.tolist()


def test_set_size():
    got = values_of("""
t = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 64, 32)
same = t[0:]
t.set_size(n + 3)
gm.set_value(0, t.get_size())
gm.set_value(1, t.get_length())
gm.set_value(2, same.get_size())
gm.set_value(3, t.get_phy_addr())
t.set_size(64)
gm.set_value(4, t[16].get_size())
t.set_size()
gm.set_value(5, t.get_size())
t.set_size(size=16)
u = t.reinterpret_cast(asc.int8)
gm.set_value(6, u.get_size())""")
    assert got[:7] == [8, 32, 32, 64, 48, 0, 64]


def test_set_buffer_len():
    got = values_of("""
t = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 32)
t.set_buffer_len(24)
gm.set_value(0, t.get_size())
gm.set_value(1, t.get_length())
t.set_buffer_len(data_len=n * 2)
gm.set_value(2, t.get_size())""")
    assert got[:3] == [12, 24, 5]


def test_set_addr_with_offset():
    got = values_of("""
src = asc.LocalTensor(asc.int32, asc.TPosition.VECIN, 0, 64)
asc.data_copy(src, gm, 64)
asc.pipe_barrier(asc.PipeID.PIPE_ALL)
t = asc.LocalTensor(asc.int16, asc.TPosition.VECOUT, 1024, 16)
t.set_addr_with_offset(src, 8)
gm.set_value(100, t.get_value(0))
gm.set_value(101, t.get_value(1))
gm.set_value(102, t.get_size())
gm.set_value(103, t.get_phy_addr())
gm.set_value(104, t.get_position())
t.set_addr_with_offset(src=src[8], offset=n)
gm.set_value(105, t.get_value(0))""")
    assert got[100:106] == [8, 0, 128, 32, 9, 13]


def test_results_go_where_the_tensor_is_then():
    got = values_of("""
a = asc.LocalTensorAuto(asc.int32, 64)
b = asc.LocalTensorAuto(asc.int32, 64)
asc.data_copy(a, gm, 64)
half = a[0:]
half.set_size(32)
asc.add(b, a, a, 64)
b.set_size(8)
asc.duplicate(b, -1, 8)
asc.data_copy(gm, b, 8)
c = a[0:]
c.set_addr_with_offset(a, 8)
asc.data_copy(gm[8], c, 8)
b.set_size(64)
asc.data_copy(gm[64], b, 64)""")
    assert got[:16] == [-1] * 8 + list(range(8, 16)) and got[64:128] == [-1] * 8 + [2 * i for i in range(8, 64)]


def test_more_than_the_memory_has():
    lines = "t = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)\nt.set_size(n)\nasc.duplicate(t, 1.0, 64)"
    for check in (True, False):
        kernel = kernel_of(lines).options(check=check)
        kernel[1](np.zeros(256, np.int32), 49152)
        for size in (49153, -1, 2**31 - 1):
            found = diagnostics_of(lambda: kernel[1](np.zeros(256, np.int32), size))  # noqa: B023
            assert found[0].code == "M104", size


def test_elements_behind_a_smaller_size_are_told():
    found = diagnostics_of(
        lambda: values_of("t = asc.LocalTensorAuto(asc.int32, 64)\nt.set_size(16)\nasc.duplicate(t, 0, 24)\nasc.data_copy(gm, t, 8)")
    )
    assert found[0].code == "R110" and "16 elements" in text_of(found[0])


# ---------------------------------------------------------------- tags

FUNCTIONS = """
@asc.jit
def tag_of(t):
    return t.get_user_tag()


@asc.jit
def first(t, u, n):
    return t if n > 3 else u
"""
QUEUE = """
pipe = asc.TPipe()
q = asc.TQue(asc.TPosition.VECIN, 2)
pipe.init_buffer(q, 2, 64)
"""


def test_tags_of_tensors():
    got = values_of(
        """
t = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 16)
gm.set_value(0, t.get_user_tag())
t.set_user_tag(n)
gm.set_value(1, t.get_user_tag())
gm.set_value(2, t[8].get_user_tag())
gm.set_value(3, t.reinterpret_cast(asc.int32).get_user_tag())
view = t[8:]
t.set_user_tag(tag=-7)
gm.set_value(4, view.get_user_tag())
gm.set_value(5, tag_of(t))
u = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 64, 16)
gm.set_value(6, tag_of(u))
gm.set_value(7, first(t, u, n).get_user_tag())
gm.set_value(8, first(u, t, n).get_user_tag())
u.set_addr_with_offset(t, 8)
gm.set_value(9, u.get_user_tag())
t.set_user_tag()
gm.set_value(10, t.get_user_tag())""",
        before=FUNCTIONS,
    )
    assert got[:11] == [-1, 5, 5, 5, 5, -7, -1, -7, -1, -7, 0]


@pytest.mark.parametrize("set_here", [True, False])
def test_tags_go_through_queues(set_here):
    lines = (
        QUEUE
        + """
for i in range(4):
    t = q.alloc_tensor(asc.int32)
    gm.set_value(8 * i, t.get_user_tag())
    TAG
    q.enque(t)
    u = q.deque(asc.int32)
    gm.set_value(8 * i + 1, u.get_user_tag())
    gm.set_value(8 * i + 2, tag_of(u[8]))
    q.enque(u)
    v = q.deque(asc.int16)
    gm.set_value(8 * i + 3, v.get_user_tag())
    v.set_user_tag(100 + i)
    q.enque(v)
    w = q.deque(asc.int32)
    gm.set_value(8 * i + 4, w.get_user_tag())
    q.free_tensor(w)"""
    )
    got = values_of(lines.replace("TAG", "t.set_user_tag(n + i)" if set_here else "pass"), before=FUNCTIONS)
    for i in range(4):
        tag = 5 + i if set_here else -1
        assert got[8 * i : 8 * i + 5] == [-1, tag, tag, tag, 100 + i]


# ---------------------------------------------------------------- one element, and tensors for queues


def test_one_element():
    got = values_of("""
t = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 32)
t.set_value(n, 77)
asc.pipe_barrier(asc.PipeID.PIPE_ALL)
gm.set_value(0, t(5).get_value(0))
gm.set_value(1, t(offset=n).get_size())
gm.set_value(2, gm(n).get_value(0))
gm.set_value(3, gm(5).get_size())""")
    assert got[:4] == [77, 1, 5, 1]


def test_a_tensor_with_a_shape_is_filled_by_a_queue():
    got = values_of(
        QUEUE
        + """
t = asc.LocalTensor(asc.int32, [4, 4])
asc.static_assert(t.shape == (4, 4))
gm.set_value(0, t.get_size())
q.alloc_tensor(t)
gm.set_value(1, t.get_size())
q.free_tensor(t)
u = asc.LocalTensor(asc.int32, shape=(2, 8))
gm.set_value(2, u.get_size())"""
    )
    assert got[:3] == [0, 16, 0]


# ---------------------------------------------------------------- pop_stack_buffer


def test_pop_stack_buffer():
    got = values_of(
        QUEUE
        + """
tmp = asc.pop_stack_buffer(asc.int32)
gm.set_value(0, tmp.get_phy_addr())
gm.set_value(1, tmp.get_length())
again = asc.pop_stack_buffer(dtype=asc.int16, position=asc.TPosition.VECIN)
gm.set_value(2, again.get_size())
buf = asc.TBuf(asc.TPosition.VECCALC)
pipe.init_buffer(buf, 100)
gm.set_value(3, asc.pop_stack_buffer(asc.int8, asc.TPosition.VECOUT).get_phy_addr())
asc.duplicate(tmp[1024], n, 64)
asc.pipe_barrier(asc.PipeID.PIPE_ALL)
asc.data_copy(gm[64], tmp[1024], 64)"""
    )
    assert got[:4] == [128, 196544 - 128, (196544 - 128) // 2, 256] and got[64:128] == [5] * 64


def test_nothing_is_left():
    lines = "pipe = asc.TPipe()\nbuf = asc.TBuf(asc.TPosition.VECCALC)\npipe.init_buffer(buf, n)\nt = asc.pop_stack_buffer(asc.int8)"
    kernel = kernel_of(lines)
    kernel[1](np.zeros(256, np.int32), 196544 - 32)
    found = diagnostics_of(lambda: kernel[1](np.zeros(256, np.int32), 196544))
    assert found[0].code == "Q110" and "196544 bytes" in found[0].message


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("t = asc.pop_stack_buffer(asc.int8)", "Q111"),
        ("pipe = asc.TPipe()\nt = asc.pop_stack_buffer(asc.int8, asc.TPosition.A1)", "T305"),
        ("pipe = asc.TPipe()\nt = asc.pop_stack_buffer(asc.int8, asc.TPosition.MAX)", "T305"),
        ("t = asc.LocalTensorAuto(asc.int32, 8)\nif n > 3:\n    t.set_size(4)", "L316"),
        ("t = asc.LocalTensorAuto(asc.int32, 8)\nfor i in range(n):\n    t.set_user_tag(4)", "L316"),
        ("t = asc.LocalTensorAuto(asc.int32, 8)\nchange(t)", "L316"),
        ("t = asc.LocalTensorAuto(asc.int32, 8)\nt.set_addr_with_offset(gm, 0)", "T103"),
        ("t = asc.LocalTensorAuto(asc.int32, 8)\nt.set_size(-1)", "T302"),
        ("t = asc.LocalTensorAuto(asc.int32, 8)\nt.set_size(0.5)", "T103"),
        ("t = asc.LocalTensor(asc.int32, [4, 4], 0)", "L401"),
        ("t = asc.LocalTensorAuto(asc.int32, 8)\nt(1, 2)", "L401"),
    ],
)
def test_what_is_refused(lines, code):
    before = "\n@asc.jit\ndef change(t):\n    t.set_size(4)\n"
    found = diagnostics_of(lambda: kernel_of(lines, before)[1](np.zeros(256, np.int32), 5))
    assert found[0].code == code


def test_a_copy_can_be_changed_anywhere():
    got = values_of(
        """
t = asc.LocalTensorAuto(asc.int32, 8)
if n > 3:
    part = t[0:]
    part.set_size(4)
    gm.set_value(0, part.get_size())
gm.set_value(1, t.get_size())"""
    )
    assert got[:2] == [4, 8]


# ---------------------------------------------------------------- text

TEXT = (
    QUEUE
    + """
t = q.alloc_tensor(asc.float16)
t.set_user_tag(n)
t.set_size(16)
q.enque(t)
u = q.deque(asc.float16)
u.set_buffer_len(n)
v = asc.LocalTensor(asc.int32, asc.TPosition.VECIN, 0, 8)
v.set_addr_with_offset(u, n)
gm.set_value(0, u.get_user_tag())
gm.set_value(1, v(3).get_size())
gm.set_value(2, gm(n).get_value(0))
tmp = asc.pop_stack_buffer(asc.int32)
asc.duplicate(tmp, 1, 8)
q.free_tensor(u)
"""
)


def test_text(golden):
    text = kernel_of(TEXT).compile(np.zeros(256, np.int32), 5).ascendc
    golden(Path(__file__).parent / "golden" / "tensor_changes.cpp", without_lines(text))


@pytest.mark.skipif(not CLANG, reason="there is no clang++")
def test_text_is_cpp():
    run = subprocess.run([*COMMAND, Path(__file__).parent / "golden" / "tensor_changes.cpp"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
