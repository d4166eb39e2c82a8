# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/kernel_files.md, done as it says: the files `python file=NAME` are written, the blocks `sh` run one after the other in a clean
shell, and what they print is what the blocks `text printed` and `text errors` behind them show. Every line of a block has to end with 0,
the last one with the status that `sh status=N` says."""

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "kernel_files.md"
BLOCK = re.compile(r"^```(python file=\S+|sh(?: status=\d)?|text printed|text errors)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SANITIZERS = "PYTHONPATH", "LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS"


def test_page(tmp_path):
    environment = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "PYASC_CACHE_DIR": str(tmp_path / ".cache")}
    environment |= {name: os.environ[name] for name in SANITIZERS if name in os.environ}
    done = None
    kinds = []
    for kind, text in BLOCK.findall(PAGE.read_text()):
        word, _, value = kind.partition("=")
        kinds.append(word)
        if word == "python file":
            (tmp_path / value).write_text(text)
        elif word in ("sh", "sh status"):
            command = ["bash", "-e", "-u", "-c", text]
            done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
            assert done.returncode == int(value or 0), f"{text}\n{done.stdout}\n{done.stderr}"
        else:
            assert text == (done.stdout if word == "text printed" else done.stderr)
    assert {"python file", "sh", "sh status", "text printed", "text errors"} <= set(kinds)
