# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# P104, P105: another package called asc or pyasc stands before ours on the import path.
import os
import subprocess
import sys
from pathlib import Path

import pytest


def errors_beside(package: str, folder: Path, statement: str) -> str:
    """What Python says when an empty package of that name comes first."""
    (folder / package).mkdir()
    (folder / package / "__init__.py").write_text("")
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run([sys.executable, "-c", statement], env=variables, capture_output=True, text=True, timeout=60, cwd=folder)
    assert done.returncode != 0
    return done.stderr


@pytest.mark.parametrize("statement", ["import pyasc", "import asc, pyasc"])
def test_foreign_asc(tmp_path, statement):
    errors = errors_beside("asc", tmp_path, statement)
    assert "P104" in errors and str(tmp_path / "asc") in errors


def test_foreign_pyasc(tmp_path):
    assert "P105" in errors_beside("pyasc", tmp_path, "import asc")
