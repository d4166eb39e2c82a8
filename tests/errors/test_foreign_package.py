# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# P104: another package called asc stands before ours on the import path.
import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("statement", ["import pyasc", "import asc, pyasc"])
def test_foreign_asc(tmp_path, statement):
    (tmp_path / "asc").mkdir()
    (tmp_path / "asc" / "__init__.py").write_text("")
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run([sys.executable, "-c", statement], env=variables, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.returncode != 0
    assert "P104" in done.stderr and str(tmp_path / "asc") in done.stderr
