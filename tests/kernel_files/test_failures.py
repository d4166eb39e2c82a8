# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a `.kernel` file refuses: each with its code, its words, its status, and without writing anything.
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest
from pyasc import _core
from support.commands import ROOT, compiled, pyasc, run


@pytest.fixture
def call(vec_add, data, tmp_path):
    """Runs the vector addition; a value of None leaves the option out. An output was there before, and must stay as it was."""
    good = {"--input-a": data("a.bin", np.ones(100, np.float32)), "--input-b": data("b.bin", np.ones(100, np.float32))}
    good["--output"] = tmp_path / "c.bin"

    def call(*more, kernel=vec_add, **changed):
        options = good | {f"--{name.replace('_', '-')}": value for name, value in changed.items()}
        output = options["--output"]
        before = output is not None and os.path.isdir(os.path.dirname(output)) and os.path.basename(output) == "c.bin"
        if before:
            (tmp_path / "c.bin").write_bytes(b"before")
        files = {path.name for path in tmp_path.iterdir()}
        words = [word for name, value in options.items() if value is not None for word in (name, value)]
        done = run(kernel, *words, *more)
        assert not before or (tmp_path / "c.bin").read_bytes() == b"before"
        assert {path.name for path in tmp_path.iterdir()} == files
        assert done.stdout == "" and done.stderr.count("help: ") == done.stderr.count("error[") == 1
        return done

    return call


def refused(done, code, *words, status=2):
    assert done.returncode == status and f"error[{code}]" in done.stderr, done
    for word in words:
        assert word in done.stderr, done.stderr


# ---------------------------------------------------------------- C307: options


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--outptu", "c.bin"], ["there is no option '--outptu'", "did you mean --output?"]),
        (["--xyz"], ["there is no option '--xyz'", "--help lists the options"]),
        (["--inptu-a", "a.bin"], ["there is no option '--inptu-a'", "did you mean --input-a?"]),
        (["--seed", "3"], ["--seed is of adversarial mode", "write --check adversarial"]),
        (["c.bin"], ["got 'c.bin', expected an option"]),
        (["--output", "d.bin"], ["--output is given twice"]),
        (["--cores"], ["--cores has no value"]),
        (["--cores", "0"], ["--cores: got '0', expected a number from 1 to 65535"]),
        (["--cores=many"], ["--cores: got 'many'"]),
        (["--n", "1.5"], ["--n: got '1.5', expected a number of type int32"]),
        (["--n", "3000000000"], ["--n: got '3000000000'", "-2147483648 to 2147483647"]),
        (["--profile=yes"], ["--profile takes no value"]),
        (["--check", "rases"], ["--check: there is no check 'rases'", "did you mean 'races'?"]),
        (["--check", "races,none"], ["there is no check 'none'"]),
        (["--check", "-deadlock"], ["the check 'deadlock' cannot be turned off"]),
        (["--check", ""], ["there is no check ''", "there are: bounds, ", "outputs, adversarial, all, none"]),
    ],
)
def test_options(call, more, words):
    refused(call(*more), "C307", *words)


def test_missing_options(call):
    refused(call(input_b=None, output=None), "C307", "missing: --input-b, --output", "add --input-b FILE --output FILE")


def test_scalars_that_must_be_given(tmp_path, data):
    (tmp_path / "scale.py").write_text(SCALE)
    kernel = compiled(tmp_path / "scale.py", tmp_path / "scale.kernel", "--cores", 1)
    x = data("x.bin", np.ones(64, np.float32))
    done = run(kernel, "--input", x, "--output", tmp_path / "y.bin")
    refused(done, "C307", "missing: --alpha")
    refused(run(kernel, "--input", x, "--output", tmp_path / "y.bin", "--alpha", "one"), "C307", "got 'one'", "0.5 or 1e-5")


SCALE = """
import asc

@asc.jit
def scale(x: asc.GlobalAddress, y: asc.GlobalAddress, n: int, alpha: float):
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    tile = asc.LocalTensorAuto(asc.float32, n)
    asc.data_copy(tile, x_gm, n)
    asc.muls(tile, tile, alpha, n)
    asc.data_copy(y_gm, tile, n)
"""


# ---------------------------------------------------------------- C302, C303: files


def test_inputs_that_cannot_be_read(call, tmp_path):
    refused(call(input_a=tmp_path / "nothing.bin"), "C302", "--input-a", "nothing.bin", "No such file")
    refused(call(input_a=tmp_path), "C302", "it is a folder")


ARRAY = np.arange(100, dtype=np.float32)


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (ARRAY.astype(np.float64), ["elements of float64, expected float32", "array.astype(numpy.float32)"]),
        (ARRAY.astype(">f4"), ["big-endian", "array.astype('<f4')"]),
        (ARRAY.astype(np.complex64), ["elements of <c8, expected float32"]),
        (np.asfortranarray(ARRAY.reshape(10, 10)), ["Fortran order", "numpy.ascontiguousarray"]),
        (np.zeros(3, [("x", "f4")]), ["not one of a plain array"]),
    ],
)
def test_npy_files_of_another_kind(call, data, array, words):
    refused(call(input_a=data("bad.npy", array)), "C302", "--input-a", *words)


def test_damaged_npy_files(call, data, tmp_path):
    path = data("bad.npy", ARRAY)
    whole = path.read_bytes()
    for content in [
        whole[:-1],
        whole + b"x",
        whole[:40],
        whole[:8],
        whole[:6] + b"\x09\x00" + whole[8:],
        whole.replace(b"(100,)", b"(1e2,)"),
    ]:
        path.write_bytes(content)
        refused(call(input_a=path), "C302")
    path.write_bytes(ARRAY.tobytes())
    refused(call(input_a=path), "C302", "it does not begin as an .npy file")


def test_raw_file_of_half_an_element(call, tmp_path):
    (tmp_path / "odd.bin").write_bytes(bytes(402))
    refused(call(input_a=tmp_path / "odd.bin"), "C302", "402 bytes are not a whole number of float32 elements of 4 bytes")


def test_outputs_that_cannot_be_written(call, tmp_path):
    refused(call(output=tmp_path / "nowhere" / "c.bin"), "C303", "No such file or directory")
    refused(call(output=tmp_path), "C303")


def test_full_disk(call, vec_add):
    done = call(output="/dev/full")
    refused(done, "C303", "No space left on device")
    with open("/dev/full", "w") as full:
        for words in (["--info", "--json"], ["--help"]):
            done = run(vec_add, *words, capture_output=False, stdout=full, stderr=subprocess.PIPE)
            refused(done, "C303", "cannot write standard output: No space left on device")
            command = [sys.executable, "-m", "pyasc", "run", vec_add, *words]
            done = run(*command, capture_output=False, stdout=full, stderr=subprocess.PIPE)
            assert (done.returncode, done.stderr) == (2, "pyasc: the output cannot be written: No space left on device\n")


@pytest.mark.parametrize("other", ["{}/./y.bin", "{}/link/y.bin", "{}/y_link.bin", "y.bin"])
def test_two_outputs_in_one_file(tmp_path, data, monkeypatch, other):
    """However it is called; two links to it are one file, too."""
    (tmp_path / "two.py").write_text(TWO)
    kernel = compiled(tmp_path / "two.py", tmp_path / "two.kernel", "--cores", 1)
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "y_link.bin").symlink_to(tmp_path / "y.bin")
    monkeypatch.chdir(tmp_path)
    files = ["--input", data("x.bin", np.ones(64, np.float32)), "--output-y", tmp_path / "y.bin"]
    for before in ([] if "y_link" in other else [None]) + [b"before"]:
        if before is not None:
            (tmp_path / "y.bin").write_bytes(before)
        done = run(kernel, *files, "--output-z", other.format(tmp_path))
        refused(done, "C307", "outputs 'y' and 'z' go to the same file")
        assert before is None or (tmp_path / "y.bin").read_bytes() == before
    assert run(kernel, *files, "--output-z", "z.bin").returncode == 0
    assert run(kernel, "--input", tmp_path / "x.bin", "--output-y", "/dev/null", "--output-z", "/dev/null").returncode == 0
    assert not list(tmp_path.glob("*.part"))


TWO = """
import asc

@asc.jit
def two(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    z_gm.set_global_buffer(z, n)
    tile = asc.LocalTensorAuto(asc.float32, n)
    asc.data_copy(tile, x_gm, n)
    asc.data_copy(y_gm, tile, n)
    asc.data_copy(z_gm, tile, n)
"""


def test_a_part_that_was_left_behind(tmp_path, data):
    """By another process of the same number: it stays, and is in nobody's way."""
    (tmp_path / "two.py").write_text(TWO)
    kernel = compiled(tmp_path / "two.py", tmp_path / "two.kernel", "--cores", 1)
    x = data("x.bin", np.arange(64, dtype=np.float32))
    for name in ("y.bin", "z.bin"):
        (tmp_path / f"{name}.{os.getpid()}.0.part").write_bytes(b"left")
    assert pyasc("run", kernel, "--input", x, "--output-y", tmp_path / "y.bin", "--output-z", tmp_path / "z.bin").returncode == 0
    assert (tmp_path / "y.bin").read_bytes() == (tmp_path / "z.bin").read_bytes() == x.read_bytes()
    assert sorted(path.read_bytes() for path in tmp_path.glob("*.part")) == [b"left"] * 2


# ---------------------------------------------------------------- C304, C305: sizes


def test_sizes_that_differ(call, data):
    refused(call(input_b=data("b.bin", np.ones(99, np.float32))), "C305", "input 'b'", "99 elements, expected 100, as 'a' has them")


def test_shapes_that_differ(scale_rows, data, tmp_path):
    files = ["--output", tmp_path / "y.npy", "--input-scale", data("s.bin", np.ones(64, np.float32)), "--input-x"]
    refused(run(scale_rows, *files, data("x.npy", np.ones((4, 32), np.float32))), "C305", "got 64 elements, expected 32")
    refused(run(scale_rows, *files, data("x.npy", np.ones(256, np.float32))), "C305", "got shape 256, expected (rows, row)")
    refused(run(scale_rows, *files, data("x.bin", np.ones(100, np.float32))), "C305", "got 100 elements, expected a multiple of 64")
    refused(run(scale_rows, *files, data("x.npy", np.ones((4, 64), np.float32)), "--row", 32), "C305", "row = 32")


def test_sizes_that_files_do_not_tell(tmp_path, data):
    (tmp_path / "scale.py").write_text(SCALE.replace("n: int", "rows: int, n: int"))
    kernel = compiled(tmp_path / "scale.py", tmp_path / "scale.kernel", "--cores", 1, "--shape", "x=rows,columns")
    files = ["--input", data("x.bin", np.ones(64, np.float32)), "--output", tmp_path / "y.npy", "--alpha", 1]
    refused(run(kernel, *files), "C305", "64 elements do not tell its shape (rows, columns)", "give --columns N, or an .npy file")
    assert run(kernel, *files, "--columns", 16).returncode == 0
    assert np.load(tmp_path / "y.npy").shape == (4, 16)


def test_shares_that_do_not_divide(tmp_path, data):
    (tmp_path / "shares.py").write_text(SCALE.replace("n: int", "block_length: int").replace(", n)", ", block_length)"))
    kernel = compiled(tmp_path / "shares.py", tmp_path / "shares.kernel")
    files = ["--input", data("x.bin", np.ones(100, np.float32)), "--output", tmp_path / "y.npy", "--alpha", 1]
    refused(run(kernel, *files, "--cores", 8), "C305", "100 elements do not divide evenly among 8 cores")


def test_more_than_the_memory(tmp_path):
    (tmp_path / "fill.py").write_text(
        """
import asc

@asc.jit(core_num=1)
def fill(x: asc.GlobalAddress, n: asc.int64):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 1.5, 64)
    for i in range(0, n, 64):
        asc.data_copy(x_gm[i], tile, 64)
"""
    )
    kernel = compiled(tmp_path / "fill.py", tmp_path / "fill.kernel", "--shape", "x=n")
    refused(run(kernel, "--n", 10**12, "--output", tmp_path / "x.bin"), "C305", "would have the shape 1000000000000")
    refused(run(kernel, "--n", 10**11, "--output", tmp_path / "x.bin"), "C304", "400000000000 bytes does not fit into memory")
    assert run(kernel, "--n", 128, "--output", tmp_path / "x.bin").returncode == 0
    assert np.fromfile(tmp_path / "x.bin", np.float32).tolist() == [1.5] * 128


# ---------------------------------------------------------------- what the run itself finds


def test_output_that_is_not_written_as_a_whole(tmp_path, data):
    kernel = compiled(ROOT / "examples" / "01_add.py", tmp_path / "add.kernel", "--cores", 1)
    a = data("a.bin", np.ones(10_000, np.float32))
    files = ["--input-x", a, "--input-y", a, "--output", tmp_path / "c.bin"]
    done = run(kernel, *files)
    refused(done, "C306", "did not write 1808 of the 10000 elements of output 'z', from element 8192 on", status=1)
    assert not (tmp_path / "c.bin").exists()
    assert run(kernel, *files, "--partial-output").returncode == 0
    assert np.fromfile(tmp_path / "c.bin", np.float32).tolist() == [2] * 8192 + [0] * 1808


PARTS = """
import asc
import pyasc
from pyasc import Tensor

def one_block(total: int) -> list[int]:
    return [1, 1, 1, total]

@pyasc.kernel("half", inputs=("x",), outputs=("y", "z"), attributes={"start": 0}, tiling=one_block)
@asc.jit
def half(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, total: int, start: int):
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, total)
    y_gm.set_global_buffer(y, total)
    tile = asc.LocalTensorAuto(asc.float32, total // 2)
    asc.data_copy(tile, x_gm[start], total // 2)
    asc.data_copy(y_gm[start], tile, total // 2)

@asc.jit
def into_both(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    z_gm.set_global_buffer(z, n)
    tile = asc.LocalTensorAuto(asc.float32, 32)
    asc.data_copy(tile, x_gm, 32)
    asc.data_copy(y_gm, tile, 32)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(z_gm[n - 32], tile, 32)

def both(x: Tensor, y: Tensor, second: int = 1):
    unused = Tensor((64,), "float32")
    for start in (0, min(32, 32 * second)):
        kernel = pyasc.Kernel("half")
        kernel.set_attr("start", start)
        kernel.set_input(0, x)
        kernel.set_output(0, y)
        kernel.set_output(1, unused)
        pyasc.Stream().launch(kernel)

def once(x: Tensor, y: Tensor, n: int = 64):
    into_both[1](x, y, y, n)
"""


def test_outputs_that_several_launches_write(tmp_path, data):
    """What they leave out together is missing, and so is what no launch writes."""
    (tmp_path / "parts.py").write_text(PARTS)
    options = ["--input", data("x.bin", np.ones(64, np.float32)), "--output"]

    def made(function, *more):
        return compiled(tmp_path / "parts.py", tmp_path / f"{function}.kernel", "--function", function, *more)

    kernel = made("both", "--shape", "x=64", "--shape", "y=64")
    assert run(kernel, *options, tmp_path / "y.bin").returncode == 0
    done = run(kernel, *options, tmp_path / "y.bin", "--second", 0)
    refused(done, "C306", "did not write 32 of the 64 elements of output 'y', from element 32 on", status=1)
    kernel = made("once", "--shape", "x=64", "--shape", "y=64")
    assert run(kernel, *options, tmp_path / "y.bin").returncode == 0
    done = run(kernel, *options, tmp_path / "y.bin", "--n", 48)
    refused(done, "C306", "did not write 16 of the 64 elements of output 'y', from element 48 on", status=1)
    files = ["--output-y", tmp_path / "y.bin", "--output-z", tmp_path / "z.bin", *options[:2]]
    half = made("half")
    done = run(half, *files)
    assert done.returncode == 1 and "did not write 64 of the 64 elements of output 'z', from element 0 on" in done.stderr
    assert not (tmp_path / "z.bin").exists()
    for words in (["--check", "all", "--partial-output"], ["--partial-output", "--check", "all"]):
        assert run(half, *files, *words).returncode == 0


RACE = SCALE.replace("asc.LocalTensorAuto(asc.float32, n)", "asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 1024)")


@pytest.fixture
def race(tmp_path):
    (tmp_path / "race.py").write_text(RACE)
    return compiled(tmp_path / "race.py", tmp_path / "race.kernel", "--cores", 1)


def test_findings(race, data, tmp_path):
    files = ["--input", data("x.bin", np.ones(64, np.float32)), "--alpha", "2", "--output", tmp_path / "y.bin"]
    done = run(race, *files)
    assert done.returncode == 1 and not done.stdout and not (tmp_path / "y.bin").exists()
    assert "error[S301]" in done.stderr and f"--> {tmp_path}/race.py:11:5" in done.stderr and "help: " in done.stderr
    told = json.loads(run(race, *files, "--json").stdout)
    assert told["status"] == 1 and {"S301"} == {entry["code"] for entry in told["diagnostics"]}
    assert told["diagnostics"][0]["span"]["line"] == 11
    assert run(race, *files, "--check", "none").returncode == 0
    assert run(race, *files, "--check", "bounds, outputs").returncode == 0
    assert run(race, *files, "--check", "-races").returncode == 0 and run(race, *files, "--check", "-bounds").returncode == 1
    assert pyasc("run", "--check", "bounds, outputs", race, *files).returncode == 0
    inside = pyasc("run", race, *files)
    assert inside.returncode == 1 and "asc.muls(tile, tile, alpha, n)" in inside.stderr  # with the source lines


def test_out_of_bounds(call):
    refused(call("--n", "200"), "M101", status=1)


def test_a_limit_of_time(call):
    refused(call("--max-cycles", "10"), "M204", "raise the limit: --max-cycles N", status=1)


def test_interrupt(tmp_path, data):
    (tmp_path / "long.py").write_text(SCALE.replace("    asc.muls", "    for i in range(1_000_000_000):\n        asc.muls"))
    kernel = compiled(tmp_path / "long.py", tmp_path / "long.kernel", "--cores", 1)
    files = ["--input", data("x.bin", np.ones(64, np.float32)), "--alpha", "2", "--output", tmp_path / "y.bin"]
    process = subprocess.Popen([str(word) for word in (kernel, *files)], stderr=subprocess.PIPE)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 130 and process.stderr.read() == b""
    process.stderr.close()
    assert not list(tmp_path.glob("y.bin*"))


def test_ctrl_c_inside_of_python(tmp_path, data):
    """While it is told how far the run is: the first words bring it about."""
    text = SCALE.replace("    asc.muls", "    for i in range(4000):\n        asc.muls").replace(", n)", ", 64)")
    (tmp_path / "long.py").write_text(text)
    kernel = compiled(tmp_path / "long.py", tmp_path / "long.kernel", "--cores", 60000, "--shape", "x=64", "--shape", "y=64")
    files = ["--input", data("x.bin", np.ones(64, np.float32)), "--alpha", "1", "--output", tmp_path / "y.bin", "--check", "none"]
    told = []

    def err(text):
        told.append(text)
        if len(told) == 1:
            os.kill(os.getpid(), signal.SIGINT)

    arguments = [str(word) for word in files]
    with pytest.raises(KeyboardInterrupt):
        _core.run_kernel_file(kernel.read_bytes(), arguments, "long", told.append, err, str, True)
    assert "cores are done" in told[0] and len(told) <= 2 and not (tmp_path / "y.bin").exists()


# ---------------------------------------------------------------- C301: damage


def test_damaged_files(vec_add, call, tmp_path):
    """Any change is noticed: in the payload, in the digest, at the end; and whatever becomes of a changed program, it prints no result."""
    whole = vec_add.read_bytes()
    damaged = tmp_path / "damaged.kernel"

    def written(content):
        damaged.write_bytes(content)
        damaged.chmod(0o755)
        return damaged

    for place in [len(whole) - 9, len(whole) - 41, len(whole) - 45, len(whole) - 300, len(whole) - 2000]:
        content = bytearray(whole)
        content[place] ^= 0x10
        refused(call(kernel=written(content)), "C301", "its digest does not match its content")
    for content in [whole[:-1], whole[:-100], whole + b"x"]:
        refused(call(kernel=written(content)), "C301", "its end is missing")
    refused(pyasc("run", written(whole[:-1] + b"x"), "--info"), "C301", "its end is missing")


NOBODY = {"user": 65534} if os.geteuid() == 0 else {}  # for what root should not do


@pytest.fixture
def open_folder():
    """A folder for everybody."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        yield Path(folder)


@pytest.mark.plain_build  # a program of the sanitizers that is damaged has much to say
def test_damage_in_the_program_itself(vec_add, open_folder):
    """A damaged program may do anything, so it runs as nobody; it prints no result, and writes none."""
    whole = vec_add.read_bytes()
    ones = open_folder / "ones.bin"
    np.ones(100, np.float32).tofile(ones)
    files = ["--input-a", ones, "--input-b", ones, "--output", open_folder / "c.bin"]
    random = np.random.default_rng(0)
    for _ in range(40):
        content = bytearray(whole)
        content[random.integers(64, len(whole) - 8)] ^= 1 << random.integers(8)
        damaged = open_folder / "damaged.kernel"
        damaged.write_bytes(content)
        damaged.chmod(0o755)
        try:
            done = run(damaged, *files, timeout=20, start_new_session=True, **NOBODY)
        except OSError:
            continue  # no program any more
        assert done.returncode != 0 and done.stdout == "" and not (open_folder / "c.bin").exists()


@pytest.mark.plain_build  # the sanitizers' libraries may not be read, either
def test_a_file_that_may_not_be_read(vec_add, open_folder):
    copy = shutil.copy(vec_add, open_folder)
    os.chmod(copy, 0o111)
    refused(run(copy, "--help", **NOBODY), "C301", "cannot read itself")
