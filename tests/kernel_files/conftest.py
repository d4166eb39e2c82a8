# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The two kernels of docs/kernel_files.md, compiled once, and data for them.
import numpy as np
import pytest
from support.commands import compiled, guide_file


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture(scope="session")
def vec_add(folder):
    source = folder / "my_vec_add.py"
    source.write_text(guide_file("my_vec_add.py"))
    return compiled(source, folder / "vec_add.kernel", "--cores", 3)


@pytest.fixture(scope="session")
def scale_rows(folder):
    source = folder / "scale_rows.py"
    source.write_text(guide_file("scale_rows.py"))
    shapes = ["--shape", "x=rows,row", "--shape", "scale=row", "--shape", "y=rows,row"]
    return compiled(source, folder / "scale_rows.kernel", *shapes)


@pytest.fixture
def data(tmp_path):
    """Writes an array: data(name, array) gives the path; .npy or raw, as the name ends."""

    def write(name: str, array: np.ndarray):
        path = tmp_path / name
        np.save(path, array) if name.endswith(".npy") else array.tofile(path)
        return path

    return write
