# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python blocks of the README and the guides run, and the examples do.

The blocks of a page are one program. A block marked `python error=CODE` is a program of its own that must end with this error, one
marked `python torch` a program of its own that needs torch. Blank lines keep the line numbers of the page, so a failure points into the
page. Blocks marked `text printed` are, together, what the page's program prints."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pyasc.errors
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python(?: error=(\w+)| (torch))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


PRINTED = re.compile(r"^```text printed\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs(page: Path) -> list[tuple[str, str]]:
    """(expected error code, "torch" or "", source) of every program on the page."""
    text = page.read_text()
    whole = ""
    found = []
    for block in BLOCK.finditer(text):
        line, mark = text.count("\n", 0, block.start(3)), block[1] or block[2]
        if mark:
            found.append((mark, "\n" * line + block[3]))
        else:
            whole += "\n" * (line - whole.count("\n")) + block[3]
    return [("", whole), *found] if whole else found


CASES = [
    pytest.param(page, mark, source, id=f"{page.name}{'-' + mark if mark else ''}", marks=[pytest.mark.torch] if mark == "torch" else [])
    for page in PAGES
    for mark, source in programs(page)
]


@pytest.mark.parametrize(("page", "mark", "source"), CASES)
def test_page(page, mark, source, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / f"{page.stem}.py"
    path.write_text(source)
    if mark == "torch":
        pytest.importorskip("torch")
    if mark in ("", "torch"):
        runpy.run_path(str(path))
        printed = "".join(PRINTED.findall(page.read_text())) if not mark else ""
        assert not printed or capsys.readouterr().out == printed
        return
    with pytest.raises(pyasc.errors.PyascError) as caught:
        runpy.run_path(str(path))
    assert mark in [diagnostic.code for diagnostic in caught.value.diagnostics]


def test_pages_have_programs():
    assert {case.values[0].name for case in CASES} >= {"README.md", "getting_started.md", "checkers.md"}


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_example(path):
    run = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
