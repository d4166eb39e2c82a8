# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages with commands, done as they say: the files `python file=NAME` are written, the blocks `sh` run one after the other in a clean
shell, and what they print is what the blocks `text printed` and `text errors` behind them show. Every line of a block has to end with 0,
the last one with the status that `sh status=N` says. `make` only says what it would do: what it does are these tests."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", "docs/kernel_files.md", pytest.param("docs/torch.md", marks=pytest.mark.torch)]
BLOCK = re.compile(r"^```(python file=\S+|sh(?: status=\d)?|text printed|text errors)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SANITIZERS = "PYTHONPATH", "LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS"


@pytest.mark.parametrize("page", PAGES)
def test_page(page, tmp_path):
    if page == "docs/torch.md":
        pytest.importorskip("torch")
    tools = tmp_path / ".tools"
    tools.mkdir()
    (tools / "make").write_text(f'#!/bin/sh\nexec /usr/bin/make -n -C {ROOT} "$@"\n')
    (tools / "make").chmod(0o755)
    environment = {"PATH": f"{tools}:{Path(sys.executable).parent}:/usr/bin:/bin", "PYASC_CACHE_DIR": str(tmp_path / ".cache")}
    environment |= {name: os.environ[name] for name in SANITIZERS if name in os.environ}
    done = None
    for kind, text in BLOCK.findall((ROOT / page).read_text()):
        word, _, value = kind.partition("=")
        if word == "python file":
            (tmp_path / value).write_text(text)
        elif word in ("sh", "sh status"):
            command = ["bash", "-e", "-u", "-c", text]
            done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
            assert done.returncode == int(value or 0), f"{text}\n{done.stdout}\n{done.stderr}"
        else:
            assert text == (done.stdout if word == "text printed" else done.stderr)
    assert done is not None


def test_no_page_has_commands_that_do_not_run():
    with_commands = {
        path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")] if "\n```sh" in path.read_text()
    }
    assert with_commands == {page if isinstance(page, str) else page.values[0] for page in PAGES}
