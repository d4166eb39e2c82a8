# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What docs/checkers.md says of the checks is what there is, and its picture is the report that the program gives today.
import re
from pathlib import Path

from pyasc import checks

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "checkers.md").read_text()


def test_table_of_checks():
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| ?(.*?) ?\| ?(.*?) ?\|$", PAGE, re.M)
    table = {name: (codes.replace("R...", "R").split(), always.split(), finds) for name, finds, codes, always in rows}
    assert table == checks.table()
    assert re.findall(r"^\*\*(\w+)\.\*\*", PAGE, re.M) == list(table)


def test_picture(monkeypatch):
    """`python tools/report_picture.py` draws it again."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import report_picture

    assert report_picture.PICTURE.read_text() == report_picture.draw(report_picture.report())
    assert "](report.svg)" in PAGE
