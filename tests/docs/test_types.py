# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The examples, what `pyasc new` makes and a program of the host API are clean under `mypy --strict`, against the stubs that are
# installed: what an editor knows.
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOST = """
import asc
import numpy as np
import pyasc


@pyasc.kernel("scaled", inputs=("x",), outputs=("z",), attributes={"scale": 1.0}, tiling=pyasc.tiling.elementwise)
@asc.jit
def scaled(x: asc.GlobalAddress, z: asc.GlobalAddress, total: int, count: int, scale: float) -> None: ...


def main() -> None:
    stream, other = pyasc.Stream(), pyasc.Stream()
    x, z = pyasc.from_numpy(np.ones(3, np.float32)), pyasc.Tensor((3,), pyasc.float32)
    kernel = pyasc.Kernel("scaled")
    kernel.set_tiling([1, 1, 1, 3])
    kernel.set_input(0, x)
    kernel.set_output(0, z.to_torch())
    kernel.set_attr("scale", 2.0)
    start = stream.record()
    stream.launch(kernel)
    scaled[1, stream](x, z, 3, 3, 1.0)
    other.wait(stream.record())
    stream.synchronize()
    print(start.elapsed_us(other.record()), pyasc.to_numpy(z), np.from_dlpack(z), z.shape[0], z.dtype.sizeof())
    pyasc.set_log_level("INFO")
    scaled.options(check=["races", "bounds"], threads=2)[1](x, z, 3, 3, 1.0)
    scaled.options(chek=False)  # type: ignore[call-arg]
    operator = pyasc.torch_op("scaled")
    operator(z.to_torch())
    reveal_type((z, stream.synchronize, pyasc.bfloat16, kernel.name))
"""


def test_strict(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "host.py"
    program.write_text(HOST)
    project = shutil.copytree(ROOT / "python/pyasc/project", tmp_path / "project")
    files = [*sorted((ROOT / "examples").glob("*.py")), *sorted(project.glob("*.py")), program]
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--cache-dir",
        tmp_path / "cache",
        "--config-file",
        ROOT / "pyproject.toml",
        *files,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    for known in ("pyasc.tensor.Tensor", "def ()", "pyasc._core.DataType, str"):
        assert known in done.stdout
