# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# LocalTensor.print and LocalTensor.to_file: what a kernel shows of a tensor, and writes to files of the host.
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.kernel_file import load
from support.refusals import diagnostics_of
from test_framework import CLANG, COMMAND, without_lines
from test_tensor_changes import QUEUE, kernel_of

FILL = """
t = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 64, 64)
part = asc.GlobalTensor()
part.set_global_buffer(x, 64)
asc.data_copy(t, part, 64)
asc.pipe_barrier(asc.PipeID.PIPE_ALL)
"""
DTYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("count", [1, 5, 32, 64])
def test_print_has_a_line_for_each_block(dtype, count, capsys):
    x = (np.arange(64) - (32 if np.dtype(dtype).kind != "u" else 0)).astype(dtype)
    kernel_of(FILL + "t.print(n)").options(check=count != 5)[1](x, count)
    element = "%.6f".__mod__ if np.dtype(dtype).kind == "f" else str
    per_line = 32 // x.itemsize
    lines = [x[i : min(i + per_line, count)] for i in range(0, count, per_line)]
    assert capsys.readouterr().out == "".join(" ".join(element(value) for value in line) + "\n" for line in lines)


def test_print_can_be_left_out(capsys):
    kernel = kernel_of(FILL + 't.print(data_len=8)\nt.to_file("left_out.bin")').options(dump=False)
    kernel[1](np.zeros(64, np.int32), 5)
    assert capsys.readouterr().out == ""
    assert "Print" not in kernel.compile(np.zeros(64, np.int32), 5).ascendc


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("dtype", DTYPES)
def test_to_file_writes_the_bytes(dtype, check, tmp_path):
    x = np.arange(64).astype(dtype)
    path = tmp_path / "tensor.bin"
    path.write_bytes(b"of an earlier launch, " * 100)
    kernel_of(FILL + f't.to_file("{path}")').options(check=check)[1](x, 5)
    assert path.read_bytes() == x.tobytes()


def test_the_last_call_of_the_last_block_counts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = """import asc


@asc.jit
def kernel():
    t = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 8)
    asc.duplicate(t, 77, 8)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    t.to_file("all.bin")
    if asc.get_block_idx() == 3:
        t.to_file(file_name="one.bin")
    asc.duplicate(t, asc.get_block_idx(), 8)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    t.to_file("all.bin")
    t.set_size(0)
    t.to_file("empty.bin")
"""
    for _ in range(3):
        load(text).kernel[9]()
        assert np.fromfile("all.bin", np.int32).tolist() == [8] * 8
        assert np.fromfile("one.bin", np.int32).tolist() == [77] * 8
        assert (tmp_path / "empty.bin").read_bytes() == b""


def test_large_tensors_are_written_from_where_they_are(tmp_path):
    """A large copy from an array that nobody writes is not made."""
    x = np.random.default_rng(0).integers(-1000, 1000, 16384, np.int32)
    lines = f"""
t = asc.LocalTensor(asc.int32, asc.TPosition.VECIN, 0, 16384)
gm.set_global_buffer(x, 16384)
asc.data_copy(t, gm, 16384)
asc.pipe_barrier(asc.PipeID.PIPE_ALL)
t.to_file("{tmp_path}/large.bin")
t[100:].to_file("{tmp_path}/part.bin")"""
    for check in (True, False):
        kernel_of(lines).options(check=check)[1](x, 5)
        assert (np.fromfile(tmp_path / "large.bin", np.int32) == x).all()
        assert (np.fromfile(tmp_path / "part.bin", np.int32) == x[100:]).all()


@pytest.mark.parametrize("call", ["t.print(64)", 't.to_file("tensor.bin")'])
def test_checks(call, tmp_path, monkeypatch):
    """Both read the tensor on the scalar unit: bytes that are there and ordered."""
    monkeypatch.chdir(tmp_path)
    unordered, half = FILL.replace("asc.pipe_barrier(asc.PipeID.PIPE_ALL)", ""), FILL.replace("part, 64)", "part, 32)")
    for lines, code in ((unordered, "S301"), (half, "M301")):
        kernel = kernel_of(lines + call).options(auto_sync=False)
        found = diagnostics_of(lambda: kernel[1](np.zeros(64, np.int32), 5))  # noqa: B023
        assert found[0].code == code


@pytest.mark.parametrize("call", ["t.print(64)", 't.to_file("tensor.bin")'])
def test_sync_is_inserted(call, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = f"t = asc.LocalTensorAuto(asc.int32, 64)\nasc.data_copy(t, gm, 64)\nasc.adds(t, t, n, 64)\n{call}\nasc.duplicate(t, 0, 64)"
    for mode in (True, False, "adversarial"):
        kernel_of(lines).options(check=mode)[1](np.arange(256, dtype=np.int32), 5)
        if "to_file" in call:
            assert (np.fromfile("tensor.bin", np.int32) == np.arange(64) + 5).all()
        else:
            assert capsys.readouterr().out.split() == [str(value + 5) for value in range(64)]


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("t.print(65)", "R110"),
        ("t.print(0)", "R105"),
        ("t.print(1.5)", "T401"),
        ("t.to_file(n)", "T103"),
        ('t.to_file(f"tensor_{n}.bin")', "T103"),
        (r't.to_file("a\0b")', "T501"),
        ('t.to_file("no_such_folder/tensor.bin")', "M208"),
        ('gm.to_file("tensor.bin")', "L402"),
    ],
)
def test_what_is_refused(lines, code):
    found = diagnostics_of(lambda: kernel_of(FILL + lines)[1](np.zeros(64, np.int32), 5))
    assert found[0].code == code


TEXT = Path(__file__).parent / "golden" / "tensor_prints.cpp"


def test_text(golden):
    lines = "t = q.alloc_tensor(asc.float16)\nt.print(n)\nt.print(8)\n" + r't.to_file("a \"b\".bin")' + "\nq.free_tensor(t)"
    golden(TEXT, without_lines(kernel_of(QUEUE + lines).compile(np.zeros(64, np.int32), 5).ascendc))


@pytest.mark.skipif(not CLANG, reason="there is no clang++")
@pytest.mark.parametrize("debug", [0, 1])
def test_text_is_cpp(debug):
    run = subprocess.run([*COMMAND, f"-DASCENDC_CPU_DEBUG={debug}", TEXT], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
