# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `.kernel` files run: results, file formats, numbers that come from the files, what they print.
import contextlib
import json
import os
import shutil
import subprocess

import numpy as np
import pytest
from support.commands import ROOT, compiled, pyasc, run

RNG = np.random.default_rng(0)


def pair(n, dtype=np.float32):
    return [RNG.integers(-100, 100, n).astype(dtype) for _ in "ab"]


@pytest.mark.parametrize("n", [1, 7, 1000, 100_003])
def test_any_size(vec_add, data, tmp_path, n):
    a, b = pair(n)
    done = run(vec_add, "--input-a", data("a.bin", a), "--input-b", data("b.bin", b), "--output", tmp_path / "c.bin")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "c.bin").read_bytes() == (a + b).tobytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.bin", "b.bin", "c.bin"]


@pytest.mark.parametrize("a_name", ["a.npy", "a.bin"])
@pytest.mark.parametrize("c_name", ["c.npy", "c.bin"])
def test_formats(vec_add, data, tmp_path, a_name, c_name):
    a, b = pair((4, 25, 3))
    options = "--input-a", data(a_name, a), "--input-b", data("b.npy", b), f"--output={tmp_path / c_name}"
    done = run(vec_add, *options)
    assert done.returncode == 0, done.stderr
    if c_name == "c.bin":
        assert (tmp_path / c_name).read_bytes() == (a + b).tobytes()
        return
    c = np.load(tmp_path / c_name)
    assert c.shape == a.shape and c.dtype == a.dtype  # of the first file that tells it
    assert c.tobytes() == (a + b).tobytes()


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_versions_of_npy(vec_add, data, tmp_path, version):
    a, b = pair(50)
    with open(tmp_path / "a.npy", "wb") as file:
        np.lib.format.write_array(file, a, version)
    done = run(vec_add, "--input-a", tmp_path / "a.npy", "--input-b", data("b.bin", b), "--output", tmp_path / "c.npy")
    assert done.returncode == 0, done.stderr
    np.testing.assert_array_equal(np.load(tmp_path / "c.npy"), a + b)


@pytest.mark.parametrize("dtype", ["float16", "int16", "int32"])
def test_types(folder, vec_add, data, tmp_path, dtype):
    kernel = compiled(folder / "my_vec_add.py", tmp_path / "add.kernel", "--dtype", dtype)
    a, b = pair(77, dtype)
    done = run(kernel, "--input-a", data("a.npy", a), "--input-b", data("b.bin", b), "--output-c", tmp_path / "c.npy")
    assert done.returncode == 0, done.stderr
    c = np.load(tmp_path / "c.npy")
    assert c.dtype == dtype and c.tobytes() == (a + b).tobytes()


NEGATE = """
import asc

@asc.jit
def twice(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, total: asc.int64, alpha: float, flag: bool = False):
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, total)
    y_gm.set_global_buffer(y, total)
    z_gm.set_global_buffer(z, total)
    tile = asc.LocalTensorAuto(asc.float32, total)
    asc.data_copy(tile, x_gm, total)
    asc.muls(tile, tile, alpha, total)
    if flag:
        asc.adds(tile, tile, 1.0, total)
    asc.data_copy(y_gm, tile, total)
    asc.data_copy(z_gm, tile, total)
    asc.printf("alpha is %f\\n", alpha)
"""


@pytest.fixture(scope="module")
def twice(tmp_path_factory):
    folder = tmp_path_factory.mktemp("twice")
    (folder / "twice.py").write_text(NEGATE)
    return compiled(folder / "twice.py", folder / "twice.kernel", "--cores", 1)


def test_several_outputs_and_scalars(twice, data, tmp_path):
    x = np.arange(64, dtype=np.float32)
    outputs = "--output-y", tmp_path / "y.bin", "--output-z", tmp_path / "z.npy"
    done = run(twice, "--input", data("x.bin", x), "--alpha", "-0.5", "--flag", "true", *outputs)
    assert (done.returncode, done.stdout) == (0, "alpha is -0.500000\n"), done.stderr
    assert (np.fromfile(tmp_path / "y.bin", np.float32) == x * -0.5 + 1).all() and (np.load(tmp_path / "z.npy") == x * -0.5 + 1).all()
    done = run(twice, "--input", tmp_path / "x.bin", "--alpha", "2", "--total", 16, "--partial-output", *outputs)
    assert done.returncode == 0, done.stderr
    assert np.load(tmp_path / "z.npy").tolist() == [*(2 * x[:16]), *[0] * 48]


def test_dimensions(scale_rows, data, tmp_path):
    x, scale = RNG.standard_normal((40, 64), np.float32), RNG.standard_normal(64, np.float32)
    for x_name, scale_name in [("x.npy", "s.npy"), ("x.bin", "s.npy"), ("x.npy", "s.bin"), ("x.bin", "s.bin")]:
        files = "--input-x", data(x_name, x), "--input-scale", data(scale_name, scale), "--output", tmp_path / "y.npy"
        done = run(scale_rows, *files)
        assert done.returncode == 0, done.stderr
        y = np.load(tmp_path / "y.npy")
        assert y.shape == x.shape and y.tobytes() == (x * scale).tobytes()


def test_in_place(tmp_path, data):
    (tmp_path / "inc.py").write_text(
        """
import asc

@asc.jit(core_num=1)
def inc(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    tile = asc.LocalTensorAuto(asc.int32, n)
    asc.data_copy(tile, x_gm, n)
    asc.adds(tile, tile, 1, n)
    asc.data_copy(x_gm, tile, n)
"""
    )
    kernel = compiled(tmp_path / "inc.py", tmp_path / "inc.kernel", "--dtype", "int32")
    x = data("x.bin", np.arange(16, dtype=np.int32))
    assert run(kernel, "--input-x", x, "--output-x", x).returncode == 0  # in place in the file, too
    assert np.fromfile(x, np.int32).tolist() == list(range(1, 17))


STALE = """
import asc
from pyasc import Tensor

@asc.jit(data_cache=True, core_num=1)
def stale(x: asc.GlobalAddress, y: asc.GlobalAddress):
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    y_gm.set_global_buffer(y, 64)
    x_gm.set_value(0, 5)
    tile = asc.LocalTensorAuto(asc.int32, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.data_copy(y_gm, tile, 64)

fresh = stale.options(data_cache=False)

def as_device(x: Tensor, y: Tensor):
    stale[1](x, y)

def as_simulator(x: Tensor, y: Tensor):
    stale.options(data_cache=False)[1](x, y)
"""


@pytest.mark.parametrize(("function", "cached"), [("stale", True), ("as_device", True), ("as_simulator", False), ("fresh", False)])
def test_data_cache(tmp_path, data, function, cached):
    """The option goes with the kernel: the copy misses what set_value stored."""
    (tmp_path / "stale.py").write_text(STALE)
    kernel = compiled(tmp_path / "stale.py", tmp_path / "stale.kernel", "--function", function, "--dtype", "int32")
    assert json.loads(run(kernel, "--info", "--json").stdout)["programs"][0]["data_cache"] == cached
    assert ("with the scalar unit's data cache" in run(kernel, "--info").stdout) == cached
    x = data("x.bin", np.zeros(64, np.int32))
    files = "--input-x", x, "--output-x", tmp_path / "x2.bin", "--output-y", tmp_path / "y.bin"
    assert "S402" in run(kernel, *files).stderr
    done = run(kernel, *files, "--check", "none")
    assert done.returncode == 0, done.stderr
    assert np.fromfile(tmp_path / "x2.bin", np.int32)[0] == 5 and np.fromfile(tmp_path / "y.bin", np.int32)[0] == (0 if cached else 5)


def test_info_and_help(vec_add, scale_rows):
    page = run(vec_add, "--help").stdout
    assert "adversarial, outputs, bounds, " in page and ", deadlock" in page
    assert "--input-a FILE" in page and "--output FILE" in page and "c = a + b, for any length." in page
    told = json.loads(run(scale_rows, "--info", "--json").stdout)
    assert told["target"] == "Ascend910B1" and told["producer"].startswith("pyasc ") and told["kernel"] == "scale_rows"
    shown = {parameter["name"]: (parameter["role"], parameter["dtype"], parameter["shape"]) for parameter in told["parameters"]}
    assert shown["x"] == ("input", "float32", ["rows", "row"]) and shown["factor"] == ("scalar", "float32", [])
    text = run(vec_add, "--info").stdout
    assert "  queue a_queue GM to VECIN: 2 of 8192 bytes\n" in text
    assert "from the files: total" in text


def test_profile(vec_add, data, tmp_path):
    a, b = pair(30_000)
    files = "--input-a", data("a.bin", a), "--input-b", data("b.bin", b), "--output", tmp_path / "c.bin"
    told = json.loads(run(vec_add, *files, "--profile", "--json").stdout)
    assert told["status"] == 0 and told["diagnostics"] == []
    assert told["outputs"] == [{"name": "c", "file": str(tmp_path / "c.bin"), "dtype": "float32", "shape": [30_000]}]
    (launch,) = told["profile"]
    slowest = max(core["cycles"] for core in launch["per_core"])
    text = run(vec_add, *files, "--profile").stdout
    assert f"  of these       {slowest} in the slowest core, {launch['cycles'] - slowest} to launch and end it\n" in text
    assert "of these" not in run(vec_add, *files, "--n", 30_000, "--cores", 49, "--profile").stdout  # a core runs two blocks
    assert launch["cores"] == len(launch["per_core"]) == 3
    assert (
        launch["gm_read_bytes"] == launch["least_read_bytes"] == 240_000
        and launch["gm_written_bytes"] == launch["least_written_bytes"] == 120_000
    )
    for pipe, total in launch["pipes"].items():
        assert total["busy_cycles"] == sum(core["pipes"][pipe]["busy_cycles"] for core in launch["per_core"])
    assert 0 < max(core["cycles"] for core in launch["per_core"]) < launch["cycles"]
    text = run(vec_add, *files, "--profile").stdout
    assert f"{launch['cycles']} cycles" in text and "block 2" in text and "least possible 240000 (1.00x)" in text


def test_pyasc_run_does_the_same(vec_add, data, tmp_path):
    a, b = pair(500)
    files = "--input-a", data("a.bin", a), "--input-b", data("b.bin", b), "--output", tmp_path / "c.bin"
    alone = run(vec_add, *files, "--profile")
    (tmp_path / "c.bin").unlink()
    inside = pyasc("run", vec_add, *files, "--profile")
    assert (inside.returncode, inside.stdout, inside.stderr) == (0, alone.stdout, "")
    assert (tmp_path / "c.bin").read_bytes() == (a + b).tobytes()
    assert pyasc("run", "--check", "races", "--json", tmp_path / "told.json", vec_add, *files).returncode == 0
    assert json.loads((tmp_path / "told.json").read_text())["status"] == 0


def test_two_compilations_give_the_same_bytes(folder, vec_add, tmp_path):
    again = compiled(folder / "my_vec_add.py", tmp_path / "again.kernel", "--cores", 3)
    assert again.read_bytes() == vec_add.read_bytes()
    assert os.access(again, os.X_OK)


@pytest.mark.plain_build  # the sanitizers' libraries are not in there
@pytest.mark.skipif(os.geteuid() != 0, reason="chroot is for root")
def test_in_an_empty_root(vec_add, data, tmp_path):
    a, b = pair(1000)
    root = tmp_path / "root"
    root.mkdir()
    for file in (vec_add, data("a.bin", a), data("b.bin", b)):
        shutil.copy(file, root)
    command = ["./vec_add.kernel", "--input-a", "a.bin", "--input-b", "b.bin", "--output", "c.bin"]
    done = run(*command, preexec_fn=lambda: (os.chroot(root), os.chdir("/")), env={}, executable="/vec_add.kernel")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (root / "c.bin").read_bytes() == (a + b).tobytes()


def test_lessons(tmp_path, data):
    """Kernels that were not written for this."""
    kernel = compiled(ROOT / "examples" / "01_add.py", tmp_path / "add.kernel", "--cores", 2)
    a, b = pair(4 * 8192)
    files = "--input-x", data("a.bin", a), "--input-y", data("b.bin", b), "--output", tmp_path / "c.bin"
    assert run(kernel, *files).returncode == 0
    assert (tmp_path / "c.bin").read_bytes() == (a + b).tobytes()
    buffers = json.loads(run(kernel, "--info", "--json").stdout)["programs"][0]["buffers"]
    assert buffers == [f"tensor {name} in {position}: UB bytes {at}..{at + 65535}" for name, position, at in LOCALS]


LOCALS = ("x_local", "VECIN", 0), ("y_local", "VECIN", 65536), ("z_local", "VECOUT", 131072)


SLOW = """
import asc

@asc.jit
def slow(x: asc.GlobalAddress, y: asc.GlobalAddress, n: int, rounds: int):
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    start = 64 * asc.get_block_idx()
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm[start], 64)
    for i in range(rounds):
        asc.adds(tile, tile, 1.0, 64)
    asc.data_copy(y_gm[start], tile, 64)
"""


@pytest.mark.long
def test_progress(tmp_path, data):
    """Somebody at a terminal sees how far a long run is; the line is gone when it is over. A short run and a file get nothing."""
    (tmp_path / "slow.py").write_text(SLOW)
    kernel = compiled(tmp_path / "slow.py", tmp_path / "slow.kernel")
    files = ["--input", data("x.bin", np.ones(48 * 64, np.float32)), "--output", tmp_path / "y.bin", "--threads", 1, "--rounds"]

    def shown(rounds: int) -> bytes:
        ours, its = os.openpty()
        process = subprocess.Popen([str(word) for word in (kernel, *files, rounds)], stderr=its)
        os.close(its)
        text = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while piece := os.read(ours, 4096):
                text += piece
        os.close(ours)
        assert process.wait() == 0
        return text

    text = shown(1_000_000)
    assert b"slow: " in text and b" of 48 cores are done" in text and text.endswith(b"\r\033[K")
    assert shown(1) == b""
    assert run(kernel, *files, 1_000_000).stderr == ""
