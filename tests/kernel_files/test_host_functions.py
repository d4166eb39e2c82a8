# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Host functions as `.kernel` files: what they compute with sizes is compiled, what they launch are the steps.
import json

import numpy as np
import pytest
from support.commands import compiled, pyasc, run

RNG = np.random.default_rng(0)

ADD = """
import pyasc
from pyasc import Tensor

def my_add(a: Tensor, b: Tensor, c: Tensor):
    \"\"\"c = a + b.\"\"\"
    stream = pyasc.Stream()
    kernel = pyasc.Kernel("vec_add_kernel")
    blocks = 8 if a.size > 1000 else 1
    kernel.set_tiling([blocks, 1, 1, (a.size + blocks - 1) // blocks])
    kernel.set_input(0, a)
    kernel.set_input(1, b)
    kernel.set_output(0, c)
    stream.launch(kernel)
    stream.synchronize()
"""


@pytest.mark.parametrize("n", [1, 1000, 1001, 50_000])
def test_one_launch(tmp_path, n):
    (tmp_path / "add.py").write_text(ADD)
    kernel = compiled(tmp_path / "add.py", tmp_path / "add.kernel")
    a, b = RNG.standard_normal((2, n), np.float32)
    a.tofile(tmp_path / "a.bin")
    b.tofile(tmp_path / "b.bin")
    files = ["--input-a", tmp_path / "a.bin", "--input-b", tmp_path / "b.bin", "--output", tmp_path / "c.bin", "--json", "--profile"]
    told = json.loads(run(kernel, *files).stdout)
    assert told["status"] == 0, told
    assert told["profile"][0]["cores"] == (8 if n > 1000 else 1)
    assert (tmp_path / "c.bin").read_bytes() == (a + b).tobytes()
    assert "my_add: c = a + b." in run(kernel, "--help").stdout


BLOCK = """
import asc
import pyasc
from pyasc import Kernel, Stream, Tensor

@asc.jit
def double(x: asc.GlobalAddress, y: asc.GlobalAddress, n: int, factor: float, tile: asc.ConstExpr[int]):
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    for i in range(asc.get_block_idx() * tile, n, asc.get_block_num() * tile):
        part = asc.LocalTensorAuto(asc.float32, tile)
        asc.data_copy(part, x_gm[i], tile)
        asc.muls(part, part, factor, tile)
        asc.data_copy(y_gm[i], part, tile)

def block(x: Tensor, gamma: Tensor, beta: Tensor, residual: Tensor, alpha: float, limit: int = 4096):
    \"\"\"alpha * (layernorm(x) + residual)\"\"\"
    rows, row = x.shape
    assert row <= limit, "the rows are too long"
    stream = Stream()
    normal = Tensor(x.shape, x.dtype)
    norm = Kernel("fused_layernorm_kernel")
    norm.set_attr("eps", 1e-3)
    for index, tensor in enumerate((x, gamma, beta)):
        norm.set_input(index, tensor)
    norm.set_output(0, normal)
    stream.launch(norm)
    total = Tensor(x.shape, x.dtype)
    add = Kernel("vec_add_kernel")
    add.set_input(0, normal)
    add.set_input(1, residual)
    add.set_output(0, total)
    stream.launch(add)
    result = Tensor((rows, row), x.dtype)
    double[max(1, min(8, total.size // 64)), stream](total, result, total.size, alpha, tile=64)
    return result
"""
SHAPES = [word for name in ("x=rows,row", "gamma=row", "beta=row", "residual=rows,row") for word in ("--shape", name)]


def test_several_launches(tmp_path):
    (tmp_path / "block.py").write_text(BLOCK)
    kernel = compiled(tmp_path / "block.py", tmp_path / "block.kernel", "--function", "block", *SHAPES)
    x, residual = RNG.standard_normal((2, 30, 64), np.float32)
    gamma, beta = RNG.standard_normal((2, 64), np.float32)
    for name, array in {"x": x, "residual": residual, "gamma": gamma, "beta": beta}.items():
        np.save(tmp_path / f"{name}.npy", array)
    files = [word for name in ("x", "gamma", "beta", "residual") for word in (f"--input-{name}", tmp_path / f"{name}.npy")]
    files += ["--output", tmp_path / "z.npy", "--alpha", "0.5"]
    done = run(kernel, *files)
    assert done.returncode == 0, done.stderr
    centred = x.astype(np.float64) - x.mean(1, keepdims=True, dtype=np.float64)
    exact = 0.5 * (centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-3) * gamma + beta + residual)
    np.testing.assert_allclose(np.load(tmp_path / "z.npy"), exact, atol=2e-6)
    done = run(kernel, *files, "--limit", 60)
    assert done.returncode == 2 and "kernel 'block' cannot serve this call: the rows are too long\nhelp: give other" in done.stderr
    np.save(tmp_path / "gamma.npy", gamma[:60])
    done = run(kernel, *files)
    assert done.returncode == 2 and "error[C305]" in done.stderr
    told = json.loads(run(kernel, "--info", "--json").stdout)
    assert [program["name"] for program in told["programs"]] == ["fused_layernorm_kernel", "vec_add_kernel", "double"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("rows, row = x.shape", "rows, row = x.to_numpy().shape"), ["error[C313]", "to_numpy asks for them"]),
        (("total.size // 64", "total.size / 64"), ["error[C313]", "is no integer", "write //"]),
        (("for index, tensor in", "for i in range(rows): pass\n    for index, tensor in"), ["error[C313]", "not known before there are"]),
        (("    stream.launch(norm)", "    if rows > 3:\n        stream.launch(norm)"), ["error[C313]", "depends on the sizes"]),
        (("alpha: float", "alpha"), ["error[C312]", "nothing tells what 'alpha' of block() is"]),
        (("assert row <= limit", "assert False"), ["error[C313]: block() refuses everything: the rows are too long", "block.py:20"]),
    ],
)
def test_refusals(tmp_path, change, words):
    assert change[0] in BLOCK
    (tmp_path / "block.py").write_text(BLOCK.replace(*change))
    done = pyasc("compile", "--input", tmp_path / "block.py", *SHAPES, "--output", tmp_path / "block.kernel")
    assert done.returncode == 2 and not (tmp_path / "block.kernel").exists()
    assert all(word in done.stderr for word in words), done.stderr


@pytest.mark.parametrize(
    ("line", "change", "words"),
    [
        (
            23,
            '"fused_layer_norm_kernel"',
            "error[K160]: there is no kernel 'fused_layer_norm_kernel'|did you mean 'fused_layernorm_kernel'?",
        ),
        (27, "norm.set_output(1, normal)", "error[K162]|expected 0|its outputs are: 0 'z'"),
        (27, "pass", "error[K163]|is launched before set_output(0, ...) for 'z'|call before the launch: set_output(0, ...) for 'z'"),
        (24, 'norm.set_attr("ep", 1e-3)', "error[K165]|did you mean 'eps'?"),
        (24, 'norm.set_attr("eps", alpha * 2)', "error[C313]: 'alpha' is a float of the file: it can only be passed to set_attr()"),
        (24, 'norm.set_attr("eps", 1 - alpha)', "error[C313]: 'alpha' is a float of the file"),
        (24, "assert alpha == 2.0", "error[C313]: 'alpha' is a float of the file"),
        (24, "assert alpha", "error[C313]: 'alpha' is a float of the file"),
        (24, "assert 2.0 < alpha", "error[C313]: 'alpha' is a float of the file"),
        (24, "list(range(rows))", "error[C313]: the value of rows is not known before there are arrays"),
    ],
)
def test_errors_are_those_of_python_with_the_line_of_the_function(tmp_path, line, change, words):
    lines = BLOCK.split("\n")
    before = lines[line - 1]
    lines[line - 1] = before.replace('"fused_layernorm_kernel"', change) if change.startswith('"') else f"    {change}"
    assert lines[line - 1] != before
    (tmp_path / "block.py").write_text("\n".join(lines))
    shown = 28 if change == "pass" else line  # what is missing is missed by the launch
    done = pyasc("compile", "--input", tmp_path / "block.py", *SHAPES, "--output", tmp_path / "block.kernel")
    assert done.returncode == 2 and f"--> {tmp_path}/block.py:{shown}:" in done.stderr, done.stderr
    assert all(word in done.stderr for word in words.split("|")), done.stderr


def test_shapes_that_have_to_be_said(tmp_path):
    (tmp_path / "block.py").write_text(BLOCK)
    done = pyasc("compile", "--input", tmp_path / "block.py", "--output", tmp_path / "block.kernel")
    assert done.returncode == 2 and "error[C312]" in done.stderr and "write --shape x=SIZES" in done.stderr


TWICE = """
from pyasc import Kernel, Stream, Tensor

def twice(x: Tensor, y: Tensor):
    stream = Stream()
    first = Tensor(SHAPE, "float32")
    second = Tensor(first.size, first.dtype)
    for source, target in ((x, first), (first, second), (second, y)):
        kernel = Kernel("vec_add_kernel")
        kernel.set_input(0, source)
        kernel.set_input(1, x)
        kernel.set_output(0, target)
        stream.launch(kernel)
"""


@pytest.mark.parametrize("shape", ["x.size", "x.shape", "(x.size,)"])
def test_memory_of_as_many_elements(tmp_path, shape):
    (tmp_path / "twice.py").write_text(TWICE.replace("SHAPE", shape))
    kernel = compiled(tmp_path / "twice.py", tmp_path / "twice.kernel")
    x = np.arange(130, dtype=np.float32).reshape(10, 13)
    np.save(tmp_path / "x.npy", x)
    assert run(kernel, "--input", tmp_path / "x.npy", "--output", tmp_path / "y.npy").returncode == 0
    y = np.load(tmp_path / "y.npy")
    assert y.shape == x.shape and y.tobytes() == (4 * x).tobytes()


@pytest.mark.parametrize(("shape", "line"), [("(x.shape[0], 4)", 6), ("len(x.shape)", 6), ("x.size - 1", 13), ("(x.size, 1)", 13)])
def test_a_shape_that_nothing_tells(tmp_path, shape, line):
    """The error names the Tensor and the line: where it is asked for, or launched with memory of another shape."""
    (tmp_path / "twice.py").write_text(TWICE.replace("SHAPE", shape))
    done = pyasc("compile", "--input", tmp_path / "twice.py", "--output", tmp_path / "twice.kernel")
    assert done.returncode == 2 and "error[C312]: the function asks for the shape of 'x'" in done.stderr
    assert f"twice.py:{line}:" in done.stderr and "help: write --shape x=SIZES" in done.stderr


WAYS = """
import asc
import pyasc
from pyasc import Tensor

@asc.jit
def scale(x: asc.GlobalAddress, y: asc.GlobalAddress, n: int, factor: float, extra: asc.ConstExpr[int] = 0):
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    part = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(part, x_gm, 64)
    asc.muls(part, part, factor + extra, 64)
    asc.data_copy(y_gm, part, 64)

def ways(x: Tensor, limit: int = 100):
    a, b = Tensor((64,), "float32"), Tensor((64,), "float32")
    scale[1](x, a, 64, 2)
    scale[1](x, b, 64, 3.0)
    if limit > 50:
        FIRST
    else:
        SECOND
    return a
"""


@pytest.mark.parametrize(
    ("first", "second", "what"),
    [
        ("scale[1](x, a, 64, 2.0, 2)", "scale[1](x, a, 64, 2.0, 3)", "launches"),
        ("scale[1](x, a, 64, 2)", "scale[1](x, a, 64, 3)", "launches"),
        ("scale[1](x, a, 64, 0.0)", "scale[1](x, a, 64, -0.0)", "launches"),
        ("scale.options(check=False)[1](x, a, 64, 2.0)", "scale[1](x, a, 64, 2.0)", "launches"),
        ("scale[1](x, a, 64, 2.0)", "scale[1](x, b, 64, 2.0)", "launches"),
        ("return b", "pass", "returns"),
        ("return a, b", "pass", "returns"),
        ("return None", "pass", "returns"),
        ("Tensor((64,), 'float32')", "pass", "makes"),
        ("Tensor((64,), 'float32')", "Tensor((8, 8), 'float32')", "makes"),
        ("Tensor((64,), 'float32')", "Tensor((64,), 'float16')", "makes"),
    ],
)
def test_ways_that_differ(tmp_path, first, second, what):
    """Only integers may depend on the way: everything else is compiled once."""
    (tmp_path / "ways.py").write_text(WAYS.replace("FIRST", first).replace("SECOND", second))
    done = pyasc("compile", "--input", tmp_path / "ways.py", "--shape", "x=64", "--output", tmp_path / "ways.kernel")
    assert done.returncode == 2 and f"error[C313]: what ways() {what} depends on the sizes" in done.stderr, done


def test_ways_with_other_integers(tmp_path):
    (tmp_path / "ways.py").write_text(
        WAYS.replace("FIRST", "scale[1](x, a, 64, 5.0, 1)").replace("SECOND", "scale[2 - 1](x, a, 60 + 4, 5.0, 1)")
    )
    kernel = compiled(tmp_path / "ways.py", tmp_path / "ways.kernel", "--shape", "x=64")
    np.arange(64, dtype=np.float32).tofile(tmp_path / "x.bin")
    for limit in (100, 10):
        assert run(kernel, "--input", tmp_path / "x.bin", "--output", tmp_path / "y.bin", "--limit", limit).returncode == 0
        assert np.fromfile(tmp_path / "y.bin", np.float32).tolist() == [6 * i for i in range(64)]


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("return a", "return a, 3", 16, "ways() returns 3, and what comes out of a file are Tensors"),
        ("return a", "return source.size", 16, "and what comes out of a file are Tensors"),
        ("source", "result", 16, "parameter 'result' of ways() has the name of what it returns"),
        ("limit", "total", 16, "parameter 'total' of ways() has the name of a number of the run"),
        ("64, 2)", "64)", 18, "ways() ended in TypeError while it was followed: missing a required argument: 'factor'"),
        ("scale[1](source, a", "scale[1.5](source, a", 18, "kernel 'scale': got 1.5 cores, expected an integer"),
        ("64, 2)", "64, 2, limit)", 16, "argument 'extra' of kernel 'scale' is an asc.ConstExpr, and not known before there are arrays"),
        ("limit", "cores", 16, "parameter 'cores' has the name of an option of .kernel files, and is another number"),
    ],
)
def test_what_a_file_cannot_have(tmp_path, old, new, line, words):
    text = WAYS.replace("FIRST", "pass").replace("SECOND", "pass").replace("(x: Tensor", "(source: Tensor").replace("1](x", "1](source")
    (tmp_path / "ways.py").write_text(text.replace(old, new))
    shape = "result=64" if new == "result" else "source=64"
    done = pyasc("compile", "--input", tmp_path / "ways.py", "--shape", shape, "--output", tmp_path / "ways.kernel")
    assert done.returncode == 2 and "error[C313]" in done.stderr and words in done.stderr, done.stderr
    assert f"--> {tmp_path}/ways.py:{line}:" in done.stderr, done.stderr


@pytest.mark.parametrize("name", ["rows", "share", "n"])
def test_a_parameter_with_the_name_of_a_number(tmp_path, name):
    """It is what it is given, or its default."""
    text = WAYS.replace("FIRST", "scale[2](x, a, 64, 5.0)").replace("SECOND", "scale[1](x, a, 64, 5.0)")
    (tmp_path / "ways.py").write_text(text.replace("limit", name))
    kernel = compiled(tmp_path / "ways.py", tmp_path / "ways.kernel", "--shape", "x=one,row")
    np.save(tmp_path / "x.npy", np.ones((1, 64), np.float32))
    for given, cores in [([], 2), ([f"--{name}", 7], 1)]:
        files = ["--input", tmp_path / "x.npy", "--output", tmp_path / "y.bin", "--check", "none", "--profile", "--json"]
        told = json.loads(run(kernel, *files, *given).stdout)
        assert [launch["cores"] for launch in told["profile"]] == [1, 1, cores]
