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
    assert done.returncode == 2 and "kernel 'block' cannot serve this call: the rows are too long" in done.stderr
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
        (('"fused_layernorm_kernel"', '"fused_layer_kernel"'), ["refuses everything: there is no kernel 'fused_layer_kernel'"]),
    ],
)
def test_refusals(tmp_path, change, words):
    assert change[0] in BLOCK
    (tmp_path / "block.py").write_text(BLOCK.replace(*change))
    done = pyasc("compile", "--input", tmp_path / "block.py", *SHAPES, "--output", tmp_path / "block.kernel")
    assert done.returncode == 2 and not (tmp_path / "block.kernel").exists()
    assert all(word in done.stderr for word in words), done.stderr


def test_shapes_that_have_to_be_said(tmp_path):
    (tmp_path / "block.py").write_text(BLOCK)
    done = pyasc("compile", "--input", tmp_path / "block.py", "--output", tmp_path / "block.kernel")
    assert done.returncode == 2 and "error[C312]" in done.stderr and "write --shape NAME=SIZES" in done.stderr
