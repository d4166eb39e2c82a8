# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws docs/report.svg: the report of the first racy program in docs/checkers.md, as a terminal shows it. tests/docs compares the two."""

import contextlib
import html
import os
import re
import runpy
import tempfile
from pathlib import Path

from pyasc.errors import CheckError

DOCS = Path(__file__).resolve().parent.parent / "docs"
PICTURE = DOCS / "report.svg"
_WIDTH, _HEIGHT, _MARGIN = 7.8, 17, 14  # of a character, of a line, around the text
_STYLES = {"1;31": "red", "1;33": "yellow", "1;34": "blue", "1": "bold"}
_CSS = """
text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: #d6d6d6; white-space: pre; }
.red, .yellow, .blue, .bold { font-weight: bold; } .red { fill: #ff6b6b; } .yellow { fill: #e5c07b; } .blue { fill: #6cb6ff; }
"""


def report() -> str:
    """What the program prints on a terminal."""
    program = re.search(r"^```python error=S301\n(.*?)^```$", (DOCS / "checkers.md").read_text(), re.M | re.S)[1]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("racy.py").write_text(program)
        try:
            runpy.run_path(os.path.abspath("racy.py"))
        except CheckError as error:
            return error.text(color=True)
    raise AssertionError("the program has no findings")


def draw(text: str) -> str:
    """A text with ANSI colours as SVG."""
    lines = []
    for number, line in enumerate(text.splitlines()):
        spans = []
        for style, plain, styled in re.findall(r"\033\[([\d;]+)m(.*?)\033\[0m|([^\033]+)", line):
            part = html.escape(plain or styled, quote=False)
            spans.append(f'<tspan class="{_STYLES[style]}">{part}</tspan>' if style else part)
        lines.append(f'<text x="{_MARGIN}" y="{_MARGIN + 12 + number * _HEIGHT}">{"".join(spans)}</text>')
    longest = max(len(re.sub(r"\033\[[\d;]*m", "", line)) for line in text.splitlines())
    width, height = round(longest * _WIDTH) + 2 * _MARGIN, len(lines) * _HEIGHT + 2 * _MARGIN
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    box = f'<rect width="{width}" height="{height}" rx="8" fill="#1e1e1e"/>'
    return "\n".join([head, f"<style>{_CSS}</style>", box, *lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(draw(report()))
