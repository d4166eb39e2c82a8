# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A message shows the line of the user's text and underlines what it is about, wherever the text comes from and whatever is in it.
import linecache
import subprocess
import sys
import unicodedata

import pytest
from pyasc import report
from pyasc._core import Diagnostic, Span
from pyasc.errors import PyascError

KERNEL = """\
import asc


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.add(tile, tile, 64)
"""
MARKED = """\
7 |     asc.add(tile, tile, 64)
  |                         ^^
"""


def compile_error(text: str, filename: str) -> str:
    """What compiling the kernel of a text says that Python knows under a file name."""
    import asc

    namespace = {"__name__": "a_module"}
    exec(compile(text, filename, "exec"), namespace)
    with pytest.raises(PyascError) as caught:
        namespace["kernel"].compile(asc.runtime.jit.MockTensor(asc.float32))
    return str(caught.value)


def error_in_file(path, data: bytes) -> str:
    path.write_bytes(data)
    return compile_error(data.decode(), str(path))


def rows(text: str) -> list[str]:
    """The source lines of a message with their marks, the numbers left out."""
    return [line.split(" | ", 1)[1] if " | " in line else "" for line in text.splitlines() if " | " in line]


def columns(line: str) -> list[str]:
    """The character in each column of a terminal; a wide one takes two."""
    return [c for c in line for _ in range(2 if unicodedata.east_asian_width(c) in "WF" else 1)]


def marked(text: str) -> str:
    """What the marks of the first place stand under."""
    line, marks = rows(text)[:2]
    assert set(marks) <= set(" ^")
    return "".join(c for c, mark in zip(columns(line), marks, strict=False) if mark == "^")


# ---------------------------------------------------------------- where the text comes from


def test_file(tmp_path):
    shown = error_in_file(tmp_path / "kernel.py", KERNEL.encode())
    assert "kernel.py:7:25\n" + MARKED in shown


def test_under_decorators(tmp_path):
    text = KERNEL.replace("@asc.jit", "def same(f):\n    return f\n\n\n@same\n@asc.jit(\n    check=True,\n)\n@same")
    shown = error_in_file(tmp_path / "kernel.py", text.encode())
    assert f"kernel.py:{text[: text.index('asc.add')].count(chr(10)) + 1}:25\n" in shown and marked(shown) == "64"


def test_notebook():
    """IPython keeps the text of a cell in linecache, under a name that is no file, and without a time of change."""
    name = "<ipython-input-3-5f1c2d>"
    linecache.cache[name] = (len(KERNEL), None, KERNEL.splitlines(True), name)
    assert f"{name}:7:25\n{MARKED}" in compile_error(KERNEL, name)


def test_registered_text():
    """exec of a text that a library keeps in linecache through a loader, as doctest and attrs do."""
    name = "generated_kernel_7.py"
    linecache.cache[name] = (lambda: KERNEL,)
    assert f"{name}:7:25\n{MARKED}" in compile_error(KERNEL, name)


LAUNCH = "\nimport numpy as np\nkernel[1](np.zeros(64, np.float32))\n"


def run(*arguments, **options):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=60, **options)
    assert done.returncode == 1
    return done.stderr


def test_command_line():
    assert "<string>:7:25\n" + MARKED in run("-c", KERNEL + LAUNCH)


def test_command_line_with_separators_that_are_no_line_ends():
    text = KERNEL.replace("import asc\n", "import asc  # \f \x1c \u2028\n")
    assert "<string>:7:25\n" + MARKED in run("-c", text + LAUNCH)


def test_standard_input(tmp_path):
    (tmp_path / "kernel.py").write_text(KERNEL + LAUNCH)
    with (tmp_path / "kernel.py").open() as file:
        assert "<stdin>:7:25\n" + MARKED in run("-", stdin=file)


def test_standard_input_that_is_gone():
    """A pipe can be read once, and Python has done so."""
    shown = run("-", input=KERNEL + LAUNCH)
    if sys.version_info < (3, 13):
        assert "L501" in shown and "<stdin>:4" in shown and "put the function into a file" in shown


def test_file_that_is_gone(tmp_path):
    """The place is told without its line."""
    path = tmp_path / "gone.py"
    span = Span(str(path), 7, 24, 7, 26)
    shown = report.render(Diagnostic("T401", "message", "change it", span))
    assert shown.splitlines() == ["error[T401]: message", f"  --> {report.shown_path(str(path))}:7:1", "help: change it"]


# ---------------------------------------------------------------- what is in the text


def test_call_over_several_lines(tmp_path):
    text = KERNEL.replace("    asc.add(tile, tile, 64)", "    asc.add(\n        tile,\n        tile,\n    )")
    shown = error_in_file(tmp_path / "kernel.py", text.encode())
    assert (
        """\
 7 |       asc.add(
   |  _____^
 8 | |         tile,
 9 | |         tile,
10 | |     )
   | |_____^
"""
        in shown
    )


def test_call_over_many_lines(tmp_path):
    text = KERNEL.replace("    asc.add(tile, tile, 64)", "    asc.add(\n        tile,\n" + 5 * "        # comment\n" + "        tile)")
    shown = error_in_file(tmp_path / "kernel.py", text.encode())
    assert (
        """\
 7 |       asc.add(
   |  _____^
 8 | |         tile,
 9 | |         # comment
   | | ...
14 | |         tile)
   | |_____________^
"""
        in shown
    )


@pytest.mark.parametrize(
    "argument",
    ["64", "größe", "\N{CJK UNIFIED IDEOGRAPH-6570}\N{CJK UNIFIED IDEOGRAPH-91CF}", "'\N{GRINNING FACE}'", "e\N{COMBINING ACUTE ACCENT}"],
    ids=["ascii", "accents", "wide", "emoji", "combining"],
)
@pytest.mark.parametrize("before", ["", "'\N{CJK UNIFIED IDEOGRAPH-6570}\N{FULLWIDTH COMMA}'; ", "'ä'; "], ids=["ascii", "wide", "accent"])
def test_letters(tmp_path, before, argument):
    """The marks stand under the argument, in columns of a terminal."""
    names = "" if argument in ("64", "'\N{GRINNING FACE}'") else f"{argument} = 64\n"
    text = KERNEL.replace("import asc\n", "import asc\n" + names).replace(
        "    asc.add(tile, tile, 64)", f"    {before}asc.add(tile, tile, {argument})"
    )
    shown = error_in_file(tmp_path / "kernel.py", text.encode())
    line, marks = rows(shown)[:2]
    assert len(marks) == report._width(report._cells(line[: line.rindex(")")]))
    assert marks.count("^") == report._width(report._cells(argument))


def test_width_of_letters():
    assert [report._width([cell]) for cell in report._cells("a\t数ä😀\N{COMBINING ACUTE ACCENT}")] == [1, 4, 2, 1, 2, 0]


def test_tabs(tmp_path):
    text = KERNEL.replace("    ", "\t").replace("tile, 64", "tile,\t64")
    shown = error_in_file(tmp_path / "kernel.py", text.encode())
    assert "\t" not in shown and marked(shown) == "64"
    assert rows(shown)[0] == "    asc.add(tile, tile,    64)"


def test_form_feed(tmp_path):
    """A form feed is no end of a line, and a terminal does not get it."""
    text = KERNEL.replace("\n\n\n@asc", "\n\f\n\n@asc").replace("    asc.add(tile, tile, 64)", "    asc.add(tile,\f tile, 64)")
    shown = error_in_file(tmp_path / "kernel.py", text.encode())
    assert "kernel.py:7:" in shown and "\f" not in shown and marked(shown) == "64"


def test_text_that_turns_around(tmp_path):
    """Marks of direction would show another order of the letters than Python reads."""
    text = KERNEL.replace("    asc.add(tile, tile, 64)", "    '\N{RIGHT-TO-LEFT OVERRIDE}'; asc.add(tile, tile, 64)")
    shown = error_in_file(tmp_path / "kernel.py", text.encode())
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in shown and marked(shown) == "64"


@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["crlf", "cr"])
def test_line_ends(tmp_path, end):
    shown = error_in_file(tmp_path / "kernel.py", KERNEL.replace("\n", end).encode())
    assert "\r" not in shown and "kernel.py:7:25\n" + MARKED in shown


def test_another_encoding(tmp_path):
    """Columns count bytes of UTF-8 inside of Python, whatever the file is written in."""
    text = "# coding: latin-1\n" + KERNEL.replace("    asc.add(", "    'ä'; asc.add(")
    path = tmp_path / "kernel.py"
    path.write_bytes(text.encode("latin-1"))
    shown = compile_error(text.removeprefix("# coding: latin-1"), str(path))
    assert marked(shown) == "64"


@pytest.mark.parametrize("where", ["before", "after", "around"])
def test_long_line(tmp_path, where):
    before = "; ".join(["'a'"] * 60) + "; " if where != "after" else ""
    after = "; " + "; ".join(["'b'"] * 60) if where != "before" else ""
    text = KERNEL.replace("    asc.add(tile, tile, 64)", f"    {before}asc.add(tile, tile, 64){after}")
    shown = error_in_file(tmp_path / "kernel.py", text.encode())
    line = rows(shown)[0]
    assert marked(shown) == "64" and "asc.add(tile, tile, 64)" in line
    assert len(line) <= report._MOST_CELLS + 6
    assert line.startswith("...") == bool(before) and line.endswith("...") == bool(after)


def test_long_span(tmp_path):
    text = KERNEL.replace("tile, 64)", "tile, [" + ", ".join(["1"] * 200) + "])")
    shown = error_in_file(tmp_path / "kernel.py", text.encode())
    line, marks = rows(shown)[:2]
    assert len(line) <= report._MOST_CELLS + 6 and line.endswith("...") and marked(shown).startswith("[1, 1")
    assert len(marks) < len(line)


# ---------------------------------------------------------------- what Python knows of the file


def test_place_beyond_the_line(tmp_path):
    """A file that was cut after the kernel was compiled."""
    path = tmp_path / "kernel.py"
    path.write_text("a\n")
    linecache.checkcache(str(path))
    shown = report.render(Diagnostic("T401", "message", "", Span(str(path), 1, 40, 1, 44)))
    assert shown.splitlines()[2:] == ["1 | a", "  |  ^"]
