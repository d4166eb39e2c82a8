# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/syntax.md: every node class of Python's ast has its row, and what the row says about its example is so."""

import ast
import re
import sys
import textwrap
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import asc
import pytest
from asc.runtime.jit import MockTensor, MockValue
from pyasc.errors import PyascError
from support.python_kernel import define

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "syntax.md").read_text()
ROW = re.compile(r"^\| `(\w+)`(?: \((\d+)\.(\d+)\))? \| `(.*)` \| (supported|refused: (\w+)) \| ?(.*?) ?\|$", re.M)


@dataclass
class Row:
    node: str
    since: tuple[int, int]
    example: str
    code: str  # empty: supported
    instead: str


def rows() -> list[Row]:
    return [
        Row(name, (int(major or 3), int(minor or 0)), example.replace(" ↵ ", "\n").replace("\\|", "|"), code, instead)
        for name, major, minor, example, _, code, instead in ROW.findall(PAGE)
    ]


ROWS = rows()
OUTSIDE_OF_FUNCTIONS = re.search(r"^(`Module`.*) are no part of a function\.$", PAGE, re.M)[1]


def node_classes() -> set[str]:
    """All classes of nodes that Python still makes: those without subclasses."""
    old = {"slice", "Param", "AugLoad", "AugStore", "Suite", "Index", "ExtSlice", "Num", "Str", "Bytes", "NameConstant", "Ellipsis"}
    classes = [c for c in vars(ast).values() if isinstance(c, type) and issubclass(c, ast.AST) and c.__name__ not in old]
    return {c.__name__ for c in classes if not any(sub in classes for sub in c.__subclasses__())}


def test_the_table_is_complete():
    listed = [row.node for row in ROWS if row.since <= sys.version_info] + re.findall(r"`(\w+)`", OUTSIDE_OF_FUNCTIONS)
    assert len(listed) == len(set(listed)) and set(listed) == node_classes()
    assert len(ROWS) == PAGE.count("\n| `")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.node)
def test_row(row):
    if row.since > sys.version_info:
        pytest.skip("syntax of a newer Python")
    awaits = re.search(r"\bawait\b|async (for|with)", row.example)
    head = f"{'async ' if awaits else ''}def kernel(x: asc.GlobalAddress, n: int):\n"
    text = "@asc.jit\n" + head + textwrap.indent(row.example, "    ")
    made = [node for node in ast.walk(ast.parse(text)) if type(node).__name__ == row.node]
    assert made, f"{row.example!r} has no {row.node}"
    kernel = define(text + "\n", "kernel", SIZE=4, nullcontext=nullcontext)

    def compiled():
        return kernel.compile(MockTensor(asc.float32), MockValue(asc.int32))

    if not row.code:
        assert "kernel" in compiled().ascendc and not row.instead
        return
    with pytest.raises(PyascError) as caught:
        compiled()
    diagnostic = caught.value.diagnostics[0]
    assert (diagnostic.code, diagnostic.help) == (row.code, row.instead)
    inside = row.example.startswith("def ")  # nonlocal needs a function inside
    assert diagnostic.span.line == 3 + inside
