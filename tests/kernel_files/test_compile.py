# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `pyasc compile`: what it writes, what it chooses, what it refuses (C311 to C315).
import json
import os
import stat
import threading

import numpy as np
import pytest
from support.commands import ROOT, guide_file, pyasc, run

KERNELS = """
import asc

@asc.jit
def helper(gm, tile, n):
    asc.data_copy(gm, tile, n)

@asc.jit
def first(x: asc.GlobalAddress, value: asc.ConstExpr[float], n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    tile = asc.LocalTensorAuto(x.dtype, 64)
    asc.duplicate(tile, value, 64)
    helper(x_gm, tile, 64)
"""
SECOND = KERNELS + KERNELS.replace("first", "second").replace("import asc", "")


@pytest.fixture
def compile(tmp_path):
    """Compiles a file with this text in an empty folder; gives the finished command."""

    def compile(text: str, *options):
        (tmp_path / "kernels.py").write_text(text)
        return pyasc("compile", "--input", "kernels.py", *options, cwd=tmp_path)

    return compile


def refused(done, code, *words, status=2):
    assert done.returncode == status and done.stdout == "" and f"error[{code}]" in done.stderr, done
    assert "Traceback" not in done.stderr and "help: " in done.stderr
    for word in words:
        assert word in done.stderr, done.stderr


def left(folder):
    return sorted(path.name for path in folder.iterdir() if path.name != "__pycache__")


def test_without_a_command(tmp_path):
    (tmp_path / "my_vec_add.py").write_text(guide_file("my_vec_add.py"))
    done = pyasc("--input", "my_vec_add.py", "--output", "vec_add.kernel", "--soc-version", "ascend910", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout == "vec_add.kernel: vec_add for Ascend910B1\n", done
    assert done.stderr == "pyasc: platform ascend910 is taken as Ascend910B1\n"
    mode = (tmp_path / "vec_add.kernel").stat().st_mode
    assert mode & stat.S_IXUSR and left(tmp_path) == ["my_vec_add.py", "vec_add.kernel"]


def test_what_is_kept(tmp_path):
    (tmp_path / "my_vec_add.py").write_text(guide_file("my_vec_add.py"))
    done = pyasc("compile", "--input", "my_vec_add.py", "--keep-intermediate", "--json", "--soc-version", "910b4", cwd=tmp_path)
    told = json.loads(done.stdout)
    kept = ["my_vec_add.mlir", "my_vec_add.ascendc.cpp", "my_vec_add.lst"]
    assert told == {
        "status": 0, "output": "my_vec_add.kernel", "kept": kept, "kernel": "vec_add", "target": "Ascend910B4", "diagnostics": []
    }  # fmt: skip
    assert left(tmp_path) == sorted(["my_vec_add.py", "my_vec_add.kernel", *kept])
    assert "asc." in (tmp_path / kept[0]).read_text() and "__global__" in (tmp_path / kept[1]).read_text()
    assert 'program "vec_add"' in (tmp_path / kept[2]).read_text()


def test_ascend_c(tmp_path):
    (tmp_path / "my_vec_add.py").write_text(guide_file("my_vec_add.py"))
    done = pyasc("compile", "--input", "my_vec_add.py", "--target", "ascendc", "--dtype", "float16", cwd=tmp_path)
    assert done.returncode == 0 and left(tmp_path) == ["my_vec_add.cpp", "my_vec_add.py"]
    assert "half" in (tmp_path / "my_vec_add.cpp").read_text()


def test_constants_and_functions(compile, tmp_path):
    assert compile(KERNELS, "--const", "value=2.5", "--shape", "x=n").returncode == 0
    assert run(tmp_path / "kernels.kernel", "--n", 64, "--cores", 1, "--output", tmp_path / "x.bin").returncode == 0
    assert np.fromfile(tmp_path / "x.bin", np.float32).tolist() == [2.5] * 64
    done = compile(SECOND, "--function", "second", "--const", "value=1", "--shape", "x=64", "--dtype", "x=int32", "--json")
    assert json.loads(done.stdout)["kernel"] == "second"


def test_the_file_without_a_name(compile, tmp_path):
    compile(SECOND)
    options = "--function", "second", "--const", "value=1", "--shape", "x=64"
    done = pyasc("compile", "kernels.py", *options, "-o", "a.kernel", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout == "a.kernel: second for Ascend910B1\n", done
    two = pyasc("compile", "kernels.py", "--input", "others.py", cwd=tmp_path)
    assert two.returncode == 2 and two.stderr == "pyasc: two files to compile: kernels.py and --input others.py\n"


def test_defaults_are_told(compile, tmp_path):
    done = compile(KERNELS.replace("n: int", "n: int, extra: float = 2.5"), "--const", "value=1", "--shape", "x=64", "--output", "k.kernel")
    assert done.returncode == 0, done
    assert "float32, 2.5 unless given\n" in run("./k.kernel", "--info", cwd=tmp_path).stdout


def test_profile(tmp_path):
    (tmp_path / "my_vec_add.py").write_text(guide_file("my_vec_add.py"))
    done = pyasc("compile", "--input", "my_vec_add.py", "--cores", 4, "--profile", "30000", "--json", cwd=tmp_path)
    told = json.loads(done.stdout)
    (launch,) = told["run"]["profile"]
    assert done.returncode == told["run"]["status"] == 0 and launch["least_read_bytes"] == 240_000
    for name in "ab":  # cycles do not depend on values
        np.zeros(30_000, np.float32).tofile(tmp_path / f"{name}.bin")
    files = ["--input-a", "a.bin", "--input-b", "b.bin", "--output", "c.bin", "--profile", "--json"]
    assert json.loads(run("./my_vec_add.kernel", *files, cwd=tmp_path).stdout)["profile"] == [launch]
    text = pyasc("compile", "--input", "my_vec_add.py", "--profile", cwd=tmp_path).stdout
    assert "vec_add on 48 cores of Ascend910B1" in text and "least possible 524288 (1.00x)" in text
    refused_text = pyasc("compile", "--input", "my_vec_add.py", "--profile", "many", cwd=tmp_path)
    assert refused_text.returncode == 2 and "error[C312]" in refused_text.stderr
    no_option = pyasc("compile", "--input", "my_vec_add.py", "--profile", "alpha=3", cwd=tmp_path)
    assert no_option.returncode == 2 and "no option '--alpha'" in no_option.stderr
    too_large = pyasc("compile", "--input", "my_vec_add.py", "--profile", "999999999999", cwd=tmp_path)
    assert too_large.returncode == 2 and "'a' would have 999999999999 elements" in too_large.stderr


def test_profile_of_a_kernel_that_prints(compile):
    text = ROWS.replace("    tile =", "    asc.printf('hello')\n    tile =")
    done = compile(text, "--shape", "x=64", "--shape", "y=64", "--cores", "1", "--profile", "--json")
    assert json.loads(done.stdout)["run"]["status"] == 0 and done.stderr == "hello"


def test_profile_of_named_sizes(tmp_path):
    (tmp_path / "scale_rows.py").write_text(guide_file("scale_rows.py"))
    shapes = ["--shape", "x=rows,row", "--shape", "scale=row"]
    done = pyasc("compile", "--input", "scale_rows.py", *shapes, "--profile", "rows=10,row=64,factor=2", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["run"]["profile"][0]["least_written_bytes"] == 10 * 64 * 4


# ---------------------------------------------------------------- refusals


def test_kernels_to_choose_from(compile, tmp_path):
    refused(compile("import asc\n"), "C311", "kernels.py has no kernel", "write @asc.jit")
    refused(compile(SECOND, "--const", "value=1"), "C311", "has several kernels: first, second", "--function first")
    refused(compile(KERNELS, "--function", "frist"), "C311", "no kernel 'frist'", "did you mean first?")
    assert left(tmp_path) == ["kernels.py"]
    (tmp_path / "others.py").write_text(KERNELS)
    for options in ([], ["--function", "first"]):
        refused(compile("from others import first", *options), "C311", "'first' is in others.py: give that file")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], ["'value' is an asc.ConstExpr and has no value", "--const value=VALUE"]),
        (["--const", "value"], ["expected NAME=VALUE"]),
        (["--const", "n=3", "--const", "value=1"], ["'n' is no asc.ConstExpr"]),
        (["--const", "value=1", "--const", "value=2"], ["gives 'value' twice"]),
        (["--const", "value=1"], ["nothing tells the size of 'x'", "--shape x=SIZE"]),
        (["--const", "value=1", "--shape", "y=64"], ["there is no parameter 'y'", "x"]),
        (["--const", "value=1", "--shape", "x=6-4"], ["'6-4' is no size"]),
        (["--const", "value=1", "--shape", "x=m"], ["m"]),
        (["--const", "value=1", "--shape", "x=64", "--dtype", "float31"], ["no dtype 'float31'"]),
        (["--const", "value=1", "--shape", "x=64", "--dtype", "int8", "--dtype", "int16"], ["int8 and int16"]),
        (["--const", "value=1", "--shape", "x=64", "--workspace", "w=8"], ["there is no parameter 'w'"]),
        (["--cores", "-3"], ["--cores -3: expected a number from 1 to 65535"]),
        (["--cores", "0"], ["expected a number from 1 to 65535"]),
        (["--cores", "65536"], ["expected a number from 1 to 65535"]),
    ],
)
def test_parameters(compile, tmp_path, options, words):
    refused(compile(KERNELS, *options), "C312", *words)
    assert left(tmp_path) == ["kernels.py"]


def test_parameters_without_a_type(compile):
    refused(compile("import asc\n@asc.jit\ndef f(x: asc.GlobalAddress, n): pass\n"), "C312", "nothing tells what 'n' is", "annotate it")


@pytest.mark.parametrize("parameter", ["check: int", "threads: int", "input_x: int", "cores: int = 8", "cores: float", "row: float"])
def test_names_of_options(compile, parameter):
    name = parameter.partition(":")[0]
    text = ROWS.replace("y: asc.GlobalAddress", f"y: asc.GlobalAddress, {parameter}")
    refused(compile(text, "--shape", "x=row", "--shape", "y=row"), "C313", f"parameter '{name}' has the name of", "another name")
    refused(compile(ROWS, "--shape", "x=input_x", "--shape", "y=64"), "C312", "'input_x' is no size and no name of one")


@pytest.mark.parametrize(
    ("parameter", "given", "value"),
    [
        ("total: int = 100", [], 100),
        ("total: int = 100", ["--total", 7], 7),
        ("total: int", [], 64),
        ("share: int", ["--share", 3], 3),
        ("share: int = 5", [], 5),
        ("cores: int", ["--cores", 2], 2),
        ("row: int = 3", [], 64),  # the size of a dimension
        ("rows: int", [], 1),
        ("rows: int = 9", [], 9),
        ("n: int = 100", [], 100),
    ],
)
def test_names_of_numbers(compile, tmp_path, parameter, given, value):
    """An integer with the name of a number of the run has its own value: its option, its default, else that number."""
    name = parameter.partition(":")[0]
    text = ROWS.replace("y: asc.GlobalAddress", f"y: asc.GlobalAddress, {parameter}").replace("0.0", name)
    done = compile(text, "--shape", "x=row", "--shape", "y=row", "--cores", "1")
    assert done.returncode == 0, done.stderr
    np.zeros(64, np.float32).tofile(tmp_path / "x.bin")
    done = run(tmp_path / "kernels.kernel", "--input", tmp_path / "x.bin", "--output", tmp_path / "y.bin", *given, "--check", "none")
    assert done.returncode == 0, done.stderr
    assert np.fromfile(tmp_path / "y.bin", np.float32).tolist() == [value] * 64


ROWS = """
import asc

@asc.jit
def rows_of(x: asc.GlobalAddress, y: asc.GlobalAddress):
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    y_gm.set_global_buffer(y, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.adds(tile, tile, 0.0, 64)
    asc.data_copy(y_gm, tile, 64)
"""


def test_arrays_have_any_name(compile, tmp_path):
    text = ROWS.replace("x: asc", "input: asc").replace("y: asc", "output: asc").replace("(x,", "(input,").replace("(y,", "(output,")
    assert compile(text, "--shape", "input=64", "--shape", "output=64", "--cores", "1").returncode == 0
    np.arange(64, dtype=np.float32).tofile(tmp_path / "x.bin")
    for names in (["--input", "--output"], ["--input-input", "--output-output"]):
        files = [names[0], tmp_path / "x.bin", names[1], tmp_path / "y.bin"]
        assert run(tmp_path / "kernels.kernel", *files).returncode == 0
        assert (tmp_path / "y.bin").read_bytes() == (tmp_path / "x.bin").read_bytes()
        (tmp_path / "y.bin").unlink()


def test_places_of_other_kinds(compile, tmp_path):
    """A link leads to the file, and a pipe is written as it is."""
    options = ["--const", "value=1", "--shape", "x=64", "--output"]
    (tmp_path / "there.kernel").write_bytes(b"before")
    (tmp_path / "link.kernel").symlink_to("there.kernel")
    os.mkfifo(tmp_path / "pipe.kernel")
    assert compile(KERNELS, *options, "link.kernel").returncode == 0
    whole = (tmp_path / "there.kernel").read_bytes()
    assert whole.startswith(b"\x7fELF") and (tmp_path / "link.kernel").is_symlink() and os.access(tmp_path / "there.kernel", os.X_OK)
    read = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe.kernel").read_bytes()))
    reader.start()
    assert compile(KERNELS, *options, "pipe.kernel").returncode == 0
    reader.join(60)
    assert read == [whole] and (tmp_path / "pipe.kernel").is_fifo()
    assert left(tmp_path) == ["kernels.py", "link.kernel", "pipe.kernel", "there.kernel"]


def test_nothing_is_written_unless_all_is(compile, tmp_path):
    (tmp_path / "kernels.lst").mkdir()
    (tmp_path / "kernels.mlir").write_text("before")
    done = compile(KERNELS, "--const", "value=1", "--shape", "x=64", "--keep-intermediate")
    refused(done, "C303", "kernels.lst: Is a directory")
    assert left(tmp_path) == ["kernels.lst", "kernels.mlir", "kernels.py"] and (tmp_path / "kernels.mlir").read_text() == "before"


def test_targets(compile):
    refused(compile(KERNELS, "--target", "cpu"), "C314", "write sim or ascendc")
    refused(compile(KERNELS, "--const", "value=1", "--target", "ascendc", "--profile"), "C314", "--target ascendc makes none")
    refused(compile(KERNELS, "--target", "npu"), "P101", "--target ascendc")
    refused(compile(KERNELS, "--soc-version", "ascend910b9"), "P102", "did you mean")


@pytest.mark.parametrize(
    ("text", "words"),
    [("x = (\n", ["is no Python program"]), ("1 / 0\n", ["ended in ZeroDivisionError"]), ("raise SystemExit(3)\n", ["SystemExit"])],
)
def test_files_that_are_no_kernels(compile, text, words):
    refused(compile(text), "C315", *words)


def test_files_that_cannot_be_read_or_written(compile, tmp_path):
    refused(pyasc("compile", "--input", tmp_path / "nothing.py"), "C315", "cannot be read: No such file")
    refused(compile(KERNELS, "--const", "value=1", "--shape", "x=64", "--output", "no/where.kernel"), "C303", "No such file")
    refused(compile(KERNELS, "--const", "value=1", "--shape", "x=64", "--output", "."), "C303", "Is a directory")


def test_errors_of_the_kernel(compile, tmp_path):
    done = compile(KERNELS.replace("asc.duplicate(tile, value, 64)", "asc.duplicate(tile)"), "--const", "value=1", "--shape", "x=64")
    assert done.returncode == 1 and "error[T401]" in done.stderr and "asc.duplicate(tile)" in done.stderr
    done = compile(KERNELS.replace("asc.duplicate(tile, value, 64)", "asc.duplicate(tile)"), "--const", "value=1", "--json")
    assert done.returncode == 1 and json.loads(done.stdout)["diagnostics"][0]["code"] == "T401"
    assert left(tmp_path) == ["kernels.py"]


def test_usage():
    assert pyasc("compile").returncode == 2 and pyasc("compile", "--input", ROOT / "README.md", "--cores", "x").returncode == 2
