# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Making and running `.kernel` files in tests, as a user does: by the commands."""

import contextlib
import io
import os
import re
import subprocess
from pathlib import Path

from pyasc.__main__ import main

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "kernel_files.md"


def guide_file(name: str) -> str:
    """A file that docs/kernel_files.md shows."""
    return re.search(rf"^```python file={re.escape(name)}\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)[1]


def run(*command: object, **options) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in command], **{"capture_output": True, "text": True, "timeout": 120, **options})


def pyasc(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess:
    """The command pyasc, in this process: a new one takes long to start."""
    words, out, err = [str(word) for word in arguments], io.StringIO(), io.StringIO()
    before = os.getcwd()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            os.chdir(cwd or before)
            status = main(words)
        except SystemExit as usage:
            status = usage.code
        finally:
            os.chdir(before)
    return subprocess.CompletedProcess(words, status, out.getvalue(), err.getvalue())


def compiled(source: Path, output: Path, *arguments: object) -> Path:
    """The .kernel file that `pyasc compile` makes."""
    done = pyasc("compile", "--input", source, "--output", output, *arguments)
    assert done.returncode == 0, done.stderr
    return output
