# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python blocks of the README and the guides run, and the examples do.

The blocks of a page are one program. A block marked `python error=CODE` is a program of its own that must end with this error. Blank lines
keep the line numbers of the page, so a failure points into the page. Blocks marked `text printed` are, together, what the page's program
prints."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pyasc.errors
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python(?: error=(\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


PRINTED = re.compile(r"^```text printed\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs(page: Path) -> list[tuple[str, str]]:
    """(expected error code or "", source) of every program on the page."""
    text = page.read_text()
    whole = ""
    found = []
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start(2))
        if block[1]:
            found.append((block[1], "\n" * line + block[2]))
        else:
            whole += "\n" * (line - whole.count("\n")) + block[2]
    return [("", whole), *found] if whole else found


CASES = [(page, code, source) for page in PAGES for code, source in programs(page)]


@pytest.mark.parametrize(("page", "code", "source"), CASES, ids=[f"{page.name}{'-' + code if code else ''}" for page, code, _ in CASES])
def test_page(page, code, source, tmp_path, capsys):
    path = tmp_path / f"{page.stem}.py"
    path.write_text(source)
    if not code:
        runpy.run_path(str(path))
        printed = "".join(PRINTED.findall(page.read_text()))
        assert not printed or capsys.readouterr().out == printed
        return
    with pytest.raises(pyasc.errors.PyascError) as caught:
        runpy.run_path(str(path))
    assert code in [diagnostic.code for diagnostic in caught.value.diagnostics]


def test_pages_have_programs():
    assert {page.name for page, _, _ in CASES} >= {"README.md", "getting_started.md", "checkers.md"}


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_example(path):
    run = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
