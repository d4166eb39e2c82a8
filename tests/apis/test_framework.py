# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The Ascend C text of every method of the framework's classes, and of arrays and ShapeInfo, in every form, compared with
# golden/<class>.cpp, and compiled against declarations of what Ascend C has.
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from pyasc import _core
from support.kernel_file import load

HERE = Path(__file__).parent
FRAME = """import asc

GM, VECIN, VECOUT, VECCALC = asc.TPosition.GM, asc.TPosition.VECIN, asc.TPosition.VECOUT, asc.TPosition.VECCALC


@asc.jit
def fill(pipe: asc.TPipe, queue: asc.TQue, buf: asc.TBuf, pool: asc.TBufPool, count):
    pipe.init_buffer(queue, 1, 512)
    pool.init_buffer(buf, 512)
    asc.duplicate(buf.get(asc.float16), 1.0, count)


@asc.jit
def fill_array(values, n):
    values[n] = values[0] + 1


@asc.jit
def kernel(x: asc.GlobalAddress, n: int, wide, scalar: float):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x, 1024)
"""
PIPE = ["pipe = asc.TPipe()"]
QUEUE = [*PIPE, "queue = asc.TQue(VECIN, 2)", "pipe.init_buffer(queue, 2, 512)"]
IN_PLACE = ["in_place = asc.TQueBind(GM, VECIN, 0)", "pipe.init_buffer(in_place, n, 512)", "t = asc.LocalTensor(asc.float16)"]
# By class: the lines of a kernel. Every method stands here in every form.
KERNELS = {
    "TPipe": [
        *PIPE,
        "queue = asc.TQue(VECIN, 2)",
        "buf = asc.TBuf(VECCALC)",
        "pool, other = asc.TBufPool(VECCALC), asc.TBufPool(VECIN, 8)",
        "pipe.init_buffer(queue, 2, 512)",
        "pipe.init_buffer(que=asc.TQueBind(VECIN, VECOUT, 1), num=n, len=wide)",
        "pipe.init_buffer(buf, n * 32)",
        "pipe.init_buf_pool(pool, 8192)",
        "pipe.init_buf_pool(other, len=wide, share_buf=pool)",
        "id = pipe.alloc_event_id(asc.HardEvent.MTE2_V)",
        "asc.set_flag(asc.HardEvent.MTE2_V, id)",
        "asc.wait_flag(asc.HardEvent.MTE2_V, id)",
        "pipe.release_event_id(id, asc.HardEvent.MTE2_V)",
        "pipe.release_event_id(pipe.alloc_event_id())",
        "gm.set_value(pipe.get_base_addr(VECIN), pipe.fetch_event_id())",
        "fill(pipe, asc.TQue(VECIN, 2), asc.TBuf(VECCALC), pool, n)",
        "again = asc.get_tpipe_ptr()",
        "fill(again, asc.TQue(VECIN, 2), asc.TBuf(VECCALC), other, n)",
        "again.reset()",
        "pipe.init()",
        "pipe.destroy()",
    ],
    "TQue": [
        *QUEUE,
        "x = queue.alloc_tensor(asc.int32)",
        "asc.data_copy(x, gm, 128)",
        "queue.enque(x)",
        "x = queue.deque(asc.int32)",
        "queue.free_tensor(x)",
        "y = asc.LocalTensor(asc.int32)",
        "queue.alloc_tensor(y)",
        "queue.enque(tensor=y[n:])",
        "z = asc.LocalTensor(asc.int32)",
        "queue.deque(tensor=z)",
        "queue.free_tensor(z[8])",
        "output = asc.TQue(VECOUT)",
        "pipe.init_buffer(output, 1, 512)",
        "output.EnQue(output.AllocTensor(asc.float32))",
        "output.FreeTensor(output.DeQue(asc.float32))",
        "while queue.has_idle_buffer() and queue.vacant_in_que():",
        "    queue.enque(queue.alloc_tensor(asc.float16))",
        "while queue.has_tensor_in_que():",
        "    queue.free_tensor(queue.deque(asc.float16))",
        "if not queue.vacant_in_que():",
        "    gm.set_value(n, queue.get_tensor_count_in_que())",
        "queue.free_all_event()",
    ],
    "TQueBind": [
        *PIPE,
        "moved = asc.TQueBind(VECIN, VECOUT, 1)",
        "pipe.init_buffer(moved, 2, 512)",
        "x = moved.alloc_tensor(asc.float16)",
        "moved.enque(x, GM, VECIN)",
        "x = moved.deque(asc.float16, GM, VECIN)",
        "moved.enque(tensor=x, src_user_pos=VECOUT, dst_user_pos=GM)",
        "x = moved.deque(dtype=asc.float16, src_user_pos=VECOUT, dst_user_pos=GM)",
        "moved.free_tensor(x)",
        *IN_PLACE,
        "in_place.alloc_tensor(t)",
        "in_place.enque(t)",
        "in_place.deque(t)",
        "in_place.free_tensor(t)",
        "u = in_place.alloc_tensor(asc.float32)",
        "in_place.free_tensor(u)",
        "default = asc.TQueBind()",
    ],
    "TBuf": [
        *PIPE,
        "buf = asc.TBuf(VECCALC)",
        "pipe.init_buffer(buf, 1024)",
        "asc.duplicate(buf.get(asc.float16), scalar, n)",
        "a = buf.get(asc.float32, 64)",
        "b = buf.get(asc.float32, n)",
        "c = buf.get(asc.float32, [8, 16])",
        "d = buf.get(asc.float32, len=n, shape=[8, 16])",
        "e = buf.get_with_offset(64, 512, asc.float32)",
        "f = buf.get_with_offset(n, n * 32, asc.int16)",
    ],
    "TBufPool": [
        *PIPE,
        "pool, inner, other = asc.TBufPool(VECCALC, 8), asc.TBufPool(VECIN), asc.TBufPool(pos=VECIN, buf_id_size=2)",
        "queue = asc.TQue(VECIN, 2)",
        "pipe.init_buf_pool(pool, 8192)",
        "pool.init_buffer(queue, 2, 512)",
        "pool.init_buffer(asc.TBuf(VECCALC), 512)",
        "pool.init_buffer(buf=asc.TBuf(VECCALC), len=n)",
        "pool.init_buf_pool(inner, 2048)",
        "pool.init_buf_pool(other, 1024, inner)",
        "pool.reset()",
    ],
    "Array": [
        "a = asc.array(asc.int32, 8)",
        "b = asc.array(asc.float16, 4, 0)",
        "c = asc.array(asc.uint8, 4, fill_value=n)",
        "d = asc.array(asc.float32, [scalar, 0.5, n])",
        "a[0], a[n] = 1, n",
        "a[wide] += a[0] * 2",
        "b[1] = scalar",
        "c[3] = a[0]",
        "fill_array(a, n)",
        "fill_array(d, 2)",
        "for i in range(n):",
        "    fresh = asc.array(asc.bool_, 2, False)",
        "    fresh[0] = d[1] > b[1]",
        "    gm.set_value(i, fresh[0])",
    ],
    "ShapeInfo": [
        "t = asc.LocalTensor(asc.float16, VECIN, 0, 64)",
        "shape = asc.array(asc.uint32, [8, n])",
        "signed = asc.array(asc.int32, [n, 8])",
        "info = asc.ShapeInfo(shape)",
        "other = asc.ShapeInfo(signed, shape, asc.DataFormat.NZ)",
        "t.set_shape_info(info)",
        "gm.set_shape_info(shape_info=asc.ShapeInfo(shape=signed, original_shape=signed, data_format=asc.DataFormat.NCHW))",
        "same = t.get_shape_info()",
        "same_two = asc.LocalTensor(asc.float16, VECIN, 128, 64)",
        "same_two.set_shape_info(other)",
        "same_two.set_shape_info(asc.ShapeInfo())",
        "gm.set_value(same.shape(0), gm.get_shape_info().original_shape(dim=n))",
    ],
    "ListTensorDesc": [
        "listed = asc.ListTensorDesc(x)",
        "other = asc.ListTensorDesc()",
        "other.init(data=x + n, length=n, shape_size=2)",
        "desc = asc.TensorDesc(asc.int16)",
        "listed.get_desc(desc, n)",
        "part = asc.GlobalTensor()",
        "part.set_global_buffer(listed.get_data_ptr(n, asc.int32), 64)",
        "part.set_value(0, other.get_size())",
    ],
    "TensorDesc": [
        "listed = asc.ListTensorDesc(x)",
        "desc = asc.TensorDesc(dtype=asc.int32)",
        "shape = asc.array(asc.uint64, 4)",
        "desc.set_shape_addr(shape)",
        "for i in range(n):",
        "    listed.get_desc(desc, i)",
        "    gm.set_value(i, desc.get_dim() + desc.get_index())",
        "    gm.set_value(i + 1, desc.get_shape(i))",
        "part = desc.get_data_obj()",
        "part.set_value(0, 1)",
        "gm.set_global_buffer(desc.get_data_ptr(), n)",
        "gm.set_value(1, 2)",
        "plain = asc.TensorDesc()",
        "plain.set_shape_addr(shape_ptr=wide)",
    ],
    "LocalMemAllocator": [
        "allocator = asc.LocalMemAllocator()",
        "l1 = asc.LocalMemAllocator(asc.Hardware.L1)",
        "x = allocator.alloc(VECIN, asc.float16, 256)",
        "y = allocator.alloc(VECOUT, asc.float16, tile_size=n)",
        "asc.duplicate(x, 1.0, n)",
        "asc.add(y, x, x, n)",
        "gm.set_value(0, allocator.get_cur_addr())",
        "z = l1.alloc(asc.TPosition.A1, asc.float16, 256)",
    ],
}


def ascendc_of(name: str) -> str:
    kernel = load(FRAME + "".join(f"    {line}\n" for line in KERNELS[name])).kernel
    text = kernel.compile(np.zeros(1024, np.int32), 64, np.int64(64), 0.5).ascendc
    return without_lines(text)


def without_lines(text: str) -> str:
    return re.sub(r"^\s*#line .*\n", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("name", KERNELS)
def test_text(name, golden):
    golden(HERE / "golden" / f"{name}.cpp", ascendc_of(name))


CLANG = shutil.which("/usr/lib/llvm-19/bin/clang++") or shutil.which("clang++")
COMMAND = [CLANG, "-std=c++17", "-fsyntax-only", "-Wall", "-Wno-unused-variable", "-Werror", f"-I{HERE / 'declarations'}"]


@pytest.mark.skipif(not CLANG, reason="there is no clang++")
@pytest.mark.parametrize("name", KERNELS)
def test_text_is_cpp(name):
    run = subprocess.run([*COMMAND, HERE / "golden" / f"{name}.cpp"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


@pytest.mark.skipif(not CLANG, reason="there is no clang++")
def test_declarations_find_a_temporary(tmp_path):
    (tmp_path / "wrong.cpp").write_text((HERE / "golden" / "TQue.cpp").read_text().replace("FreeTensor(t);", "FreeTensor(z[8]);"))
    run = subprocess.run([*COMMAND, tmp_path / "wrong.cpp"], capture_output=True, text=True)
    assert "FreeTensor" in run.stderr


def test_every_method_has_a_text():
    methods = {}
    for cls in _core.reference()["classes"]:
        if cls["name"] in KERNELS:
            methods[cls["name"]] = {method["ascendc"] for method in cls["methods"]} - {""}
    methods["TQueBind"] = set()  # those of TQue
    methods["TQue"] -= {"InitBufHandle", "InitStartBufHandle"}  # refused
    texts = {name: (HERE / "golden" / f"{name}.cpp").read_text() for name in KERNELS}
    assert set(methods) == set(KERNELS)
    for name, expected in methods.items():
        assert {method for method in expected if not re.search(rf"\.{method}[<(]", texts[name])} == set(), name
