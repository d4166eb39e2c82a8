# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The example of every error code, wrong and right: CODE.py beside this file.

An example is a Python file of three parts: what both programs begin with, the cell `# %% wrong: WHY`, which ends in the code, and the cell
`# %% right: WHY`, the smallest change that mends it."""

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Cell:
    why: str
    text: str


@dataclass(frozen=True)
class Example:
    shared: str
    wrong: Cell
    right: Cell

    def program(self, cell: Cell) -> str:
        """The shared part and a cell, with blank lines between them as PEP 8 has them."""
        blank = "\n\n\n" if cell.text.startswith(("@", "def ", "class ")) else "\n\n"
        return self.shared + (blank if self.shared else "") + cell.text


def example(code: str) -> Example:
    """The example of a code. A file that does not exist or has other parts is a fault of the package: FileNotFoundError, ValueError."""
    text = (FOLDER / f"{code}.py").read_text(encoding="utf-8")
    shared, why_wrong, wrong, why_right, right = re.fullmatch(
        r"# SPDX[^\n]*\n(.*)^# %% wrong: ([^\n]+)\n(.*)^# %% right: ([^\n]+)\n(.*)", text, re.DOTALL | re.MULTILINE
    ).groups()
    return Example(shared.strip("\n"), Cell(why_wrong, wrong.strip("\n")), Cell(why_right, right.strip("\n")))
