# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kernels of the registry as `.kernel` files: sizes are cut up by the compiled tiling rule.
import json
import os

import numpy as np
import pytest
from support.commands import compiled, pyasc, run

RNG = np.random.default_rng(0)
DTYPES = ["float32", "float16", "bfloat16"]


def stored(values: np.ndarray, dtype: str) -> np.ndarray:
    """As a file has them: bfloat16 as its bits."""
    if dtype != "bfloat16":
        return values.astype(dtype)
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def real(array: np.ndarray, dtype: str) -> np.ndarray:
    if dtype != "bfloat16":
        return array.astype(np.float64)
    return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def of_pyasc(folder, name, dtype, *options):
    done = pyasc("compile", "--function", name, "--dtype", dtype, "--output", folder / f"{name}_{dtype}.kernel", *options)
    assert done.returncode == 0, done.stderr
    return folder / f"{name}_{dtype}.kernel"


# The largest error, relative to the largest of the exact values around 1: half a unit in the last place of the type, and what float32
# arithmetic adds.
ERRORS = {"float32": 4e-6, "float16": 2**-11 + 4e-6, "bfloat16": 2**-8 + 4e-6}


@pytest.mark.parametrize("dtype", DTYPES)
def test_layer_norm(tmp_path, dtype):
    """4096 rows of 1024, against float64."""
    kernel = of_pyasc(tmp_path, "fused_layernorm_kernel", dtype)
    x, gamma, beta = (stored(RNG.standard_normal(shape), dtype) for shape in [(4096, 1024), 1024, 1024])
    x.tofile(tmp_path / "x.bin")
    gamma.tofile(tmp_path / "gamma.bin")
    beta.tofile(tmp_path / "beta.bin")
    files = [word for name in ("x", "gamma", "beta") for word in (f"--input-{name}", tmp_path / f"{name}.bin")]
    done = run(kernel, *files, "--output", tmp_path / "z.bin", "--eps", "1e-3")
    assert done.returncode == 0, done.stderr
    z = real(np.fromfile(tmp_path / "z.bin", x.dtype).reshape(x.shape), dtype)
    rows, scale, shift = real(x, dtype), real(gamma, dtype), real(beta, dtype)
    centred = rows - rows.mean(1, keepdims=True)
    exact = centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-3) * scale + shift
    error = np.abs(z - exact) / np.maximum(np.abs(exact), 1)
    assert error.max() <= ERRORS[dtype], error.max()


@pytest.mark.parametrize("n", [1, 100, 5000, 300_001])
def test_any_size(tmp_path, n):
    kernel = of_pyasc(tmp_path, "vec_add_kernel", "float32")
    x, y = RNG.standard_normal((2, n), np.float32)
    x.tofile(tmp_path / "x.bin")
    np.save(tmp_path / "y.npy", y)
    files = ["--input-x", tmp_path / "x.bin", "--input-y", tmp_path / "y.npy", "--output", tmp_path / "z.npy"]
    for cores in ([], ["--cores", 3]):
        assert run(kernel, *files, *cores).returncode == 0
        assert np.load(tmp_path / "z.npy").tobytes() == (x + y).tobytes()


def test_rows_need_their_length(tmp_path):
    kernel = of_pyasc(tmp_path, "softmax_kernel", "float32")
    x = RNG.standard_normal((6, 10), np.float32)
    x.tofile(tmp_path / "x.bin")
    np.save(tmp_path / "x.npy", x)
    done = run(kernel, "--input", tmp_path / "x.bin", "--output", tmp_path / "z.npy")
    assert done.returncode == 2 and "error[C305]" in done.stderr and "give --row N, or an .npy file" in done.stderr
    expected = np.exp(x.astype(np.float64))
    expected /= expected.sum(1, keepdims=True)
    for options in (["--input", tmp_path / "x.bin", "--row", 10], ["--input", tmp_path / "x.npy"]):
        assert run(kernel, *options, "--output", tmp_path / "z.npy").returncode == 0
        np.testing.assert_allclose(np.load(tmp_path / "z.npy"), expected, rtol=1e-6)


OWN = """
import asc
import pyasc
from pyasc import tiling

def rule(total: int, cores: int, most: int) -> list[int]:
    assert total % 64 == 0, f"{total} elements are no whole number of 64"
    blocks = min(cores, total // 64)
    assert blocks <= most, "more blocks than most"
    return [blocks, 1, 1, 64]

@pyasc.kernel("scale", inputs=("x",), outputs=("y",), attributes={"alpha": 2.0, "most": 1000}, tiling=rule)
@asc.jit
def scale(x: asc.GlobalAddress, y: asc.GlobalAddress, total: int, count: int, alpha: float):
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, total)
    y_gm.set_global_buffer(y, total)
    for i in range(asc.get_block_idx() * count, total, asc.get_block_num() * count):
        tile = asc.LocalTensorAuto(asc.float32, 64)
        asc.data_copy(tile, x_gm[i], 64)
        asc.muls(tile, tile, alpha, 64)
        asc.data_copy(y_gm[i], tile, 64)
"""


@pytest.fixture
def scale(tmp_path):
    (tmp_path / "scale.py").write_text(OWN)
    return compiled(tmp_path / "scale.py", tmp_path / "scale.kernel")


def test_a_rule_of_ones_own(scale, tmp_path):
    x = np.arange(6400, dtype=np.float32)
    x.tofile(tmp_path / "x.bin")
    options = ["--input", tmp_path / "x.bin", "--output", tmp_path / "y.bin"]
    assert run(scale, *options).returncode == 0
    assert np.fromfile(tmp_path / "y.bin", np.float32).tolist() == (2 * x).tolist()
    told = json.loads(run(scale, *options, "--alpha", "-1", "--profile", "--json").stdout)
    assert told["profile"][0]["cores"] == 48 and np.fromfile(tmp_path / "y.bin", np.float32).tolist() == (-x).tolist()
    done = run(scale, *options, "--most", 5)
    assert done.returncode == 2 and "kernel 'scale' cannot serve this call: more blocks than most" in done.stderr
    assert f"--> {tmp_path}/scale.py:9:5" in done.stderr
    x[:100].tofile(tmp_path / "x.bin")
    done = run(scale, *options)
    assert done.returncode == 2 and "error[C305]" in done.stderr and "100 elements are no whole number of 64" in done.stderr
    told = json.loads(run(scale, "--info", "--json").stdout)
    assert told["tiling"] == {"facts": ["total", "cores", "most"], "results": ["block_dim", "outer", "inner", "count"]}


LAUNCH = """
def launch(x: pyasc.Tensor, y: pyasc.Tensor):
    kernel = pyasc.Kernel("scale")
    kernel.set_input(0, x)
    kernel.set_output(0, y)
    pyasc.Stream().launch(kernel)
"""


@pytest.mark.parametrize(("launch", "name"), [("", "scale"), (LAUNCH, "launch")])
def test_what_a_rule_refuses_has_places_of_the_user_only(tmp_path, launch, name):
    (tmp_path / "scale.py").write_text(OWN + launch)
    kernel = compiled(tmp_path / "scale.py", tmp_path / "scale.kernel")
    np.zeros(100, np.float32).tofile(tmp_path / "x.bin")
    done = run(kernel, "--input", tmp_path / "x.bin", "--output", tmp_path / "y.bin")
    place = f"  --> {tmp_path}/scale.py:7:5"
    assert done.returncode == 2 and done.stderr.splitlines() == [
        f"error[C305]: kernel '{name}' cannot serve this call: 100 elements are no whole number of 64",
        place,
        "note: block 0, pipe S: total % 64 == 0 is false: total = 100",
        place,
        "help: give other arrays or options; the place is in the tiling rule of the kernel",
    ]


@pytest.mark.parametrize("launch", ["", LAUNCH], ids=["kernel", "host function"])
def test_a_rule_may_list_a_float(tmp_path, launch):
    """One that it does not compute with."""
    (tmp_path / "scale.py").write_text(OWN.replace("most: int)", "alpha: float, most: int)") + launch)
    kernel = compiled(tmp_path / "scale.py", tmp_path / "scale.kernel")
    x = np.arange(640, dtype=np.float32)
    x.tofile(tmp_path / "x.bin")
    assert run(kernel, "--input", tmp_path / "x.bin", "--output", tmp_path / "y.bin").returncode == 0
    assert (tmp_path / "y.bin").read_bytes() == (2 * x).tobytes()


def test_refusals(tmp_path):
    def refused(text, *options):
        (tmp_path / "kernels.py").write_text(text)
        done = pyasc("compile", "--input", tmp_path / "kernels.py", "--output", tmp_path / "x.kernel", *options)
        assert done.returncode != 0 and not os.path.exists(tmp_path / "x.kernel")
        return done.stderr

    assert "error[C313]: kernel 'scale' has no tiling rule" in refused(OWN.replace(", tiling=rule", "").replace(', "most": 1000', ""))
    assert "error[C313]: the tiling rule of kernel 'scale' asks for 'most', which is no integer" in refused(OWN.replace("1000}", "1000.0}"))
    asks = OWN.replace("most: int)", "alpha: float, most: int)")
    for asking in ("blocks <= alpha", "any(i < alpha for i in (1, 2))", "[alpha for _ in (1,)]"):
        message = refused(asks.replace("blocks <= most", asking))
        assert "error[C313]: the tiling rule of kernel 'scale' asks for 'alpha', which is no integer" in message
        assert f"--> {tmp_path}/kernels.py:6:" in message
        assert message == refused(asks.replace("blocks <= most", asking) + LAUNCH)
    own_shapes = OWN.replace(", tiling=rule", ", tiling=rule, shapes=lambda x: x")
    assert "write --shape y=SIZES" in refused(own_shapes) or "write --shape x=SIZES" in refused(own_shapes)
    workspace = OWN.replace('outputs=("y",)', 'outputs=("y",), workspaces=("w",)').replace("y: asc.", "w: asc.GlobalAddress, y: asc.")
    assert "write --workspace w=SIZE" in refused(workspace)
    done = pyasc("compile", "--function", "vec_add_kernel", "--dtype", "int32")
    assert done.returncode == 2 and "all of its arrays are float32 or float16 or bfloat16" in done.stderr
    assert pyasc("compile", "--function", "vec_sum_kernel").returncode == 2
