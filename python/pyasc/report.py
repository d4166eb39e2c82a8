# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagnostics as people read them, with the source lines underlined, and as JSON. How uncaught errors and warnings look on a terminal."""

import linecache
import os
import sys
import unicodedata
import warnings

_RED, _YELLOW, _BLUE, _BOLD, _END = "\033[1;31m", "\033[1;33m", "\033[1;34m", "\033[1m", "\033[0m"


def use_color(stream):
    """Colour is for terminals. NO_COLOR turns it off, FORCE_COLOR on, as in other tools; an empty value counts as not set."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (os.environ.get("TERM") != "dumb" and hasattr(stream, "isatty") and stream.isatty())


def _painter(color):
    return lambda style, text: f"{style}{text}{_END}" if color else text


def shown_path(path):
    try:
        relative = os.path.relpath(path) if os.path.isabs(path) else path
    except OSError:  # the working directory is gone
        return path
    return relative if len(relative) < len(path) else path


# ---------------------------------------------------------------- source lines

_MOST_CELLS = 120  # of a source line; more is cut
_MOST_LINES = 4  # of a span; more are left out before the last one
_MARGIN = 30  # shown before a span in a line that is cut


def _cells(text):
    """One string per character, as wide on a terminal as the character is shown: a tab is four cells, what has no shape is replaced."""
    cells = []
    for c in text:
        kind = unicodedata.category(c)
        if c == "\t":
            cells.append("    ")
        elif kind in ("Cc", "Cf", "Cs"):  # form feeds; marks that turn the direction of the text around
            cells.append("\N{REPLACEMENT CHARACTER}")
        else:
            cells.append(c)
    return cells


def _width(cells):
    """How many columns of a terminal these characters take."""
    if "".join(cells).isascii():
        return sum(map(len, cells))
    return sum(0 if unicodedata.combining(cell[0]) else 2 if unicodedata.east_asian_width(cell[0]) in "WF" else len(cell) for cell in cells)


class _Line:
    """A source line with the part of it that belongs to a span; `column` and `end` count UTF-8 bytes, as in CPython's ast."""

    def __init__(self, file, number, column=None, end=None):
        text = linecache.getline(file, number).rstrip("\r\n")
        raw = text.encode(errors="surrogatepass")

        def characters(count):
            return len(raw[:count].decode(errors="replace"))

        self.start = len(text) - len(text.lstrip()) if column is None else characters(column)
        self.end = len(text.rstrip()) if end is None else characters(end)
        self.cells = _cells(text)

    def cut(self):
        """The line and the columns on the terminal where the span begins and ends; a long line is shown around the span."""
        first, last, before, after = 0, len(self.cells), "", ""
        if _width(self.cells) > _MOST_CELLS:
            if _width(self.cells[: self.end]) > _MOST_CELLS:
                first = max(self.start - _MARGIN, 0)
                before = "..." if first else ""
            while _width(self.cells[first:last]) > _MOST_CELLS:
                last -= 1 + (last - first) // 16
            after = "..." if last < len(self.cells) else ""
        end = min(self.end, last)
        start = len(before) + _width(self.cells[first : self.start])
        return before + "".join(self.cells[first:last]).rstrip() + after, start, start + _width(self.cells[self.start : end])


def _one_line(span, row):
    shown, start, end = _Line(span.file, span.line, span.column, span.end_column).cut()
    if shown.strip():
        row(span.line, shown)
        row(None, " " * start, "^" * max(end - start, 1))


def _several_lines(span, row):
    """Between the first and the last line a bar goes down the left side."""
    shown, start, _ = _Line(span.file, span.line, span.column).cut()
    if not shown.strip():
        return
    row(span.line, "  " + shown)
    row(None, " ", "_" * (start + 1) + "^")
    for number in range(span.line + 1, span.end_line):
        if number - span.line < _MOST_LINES - 1 or span.end_line - span.line < _MOST_LINES:
            row(number, "| " + _Line(span.file, number).cut()[0])
        elif number == span.end_line - 1:
            row(None, "| ...")
    shown, _, end = _Line(span.file, span.end_line, None, span.end_column).cut()
    row(span.end_line, "| " + shown)
    row(None, "|", "_" * max(end, 1) + "^")


def _place(span, paint):
    """Lines for a place: file:line:column, the source lines, and the span underlined."""
    if span.line == 0:
        return []
    start = _Line(span.file, span.line, span.column, span.column).start
    lines = [f"{paint(_BLUE, '  -->')} {shown_path(span.file)}:{span.line}:{start + 1}"]
    several = span.end_line > span.line
    gutter = len(str(span.end_line if several else span.line))

    def row(number, text, marks=""):
        head = f"{'' if number is None else number:>{gutter}} |"
        lines.append(f"{paint(_BLUE, head)} {text}{paint(_RED, marks) if marks else ''}")

    (_several_lines if several else _one_line)(span, row)
    return lines


def _key(span):
    return span.file, span.line, span.column, span.end_line, span.end_column


# ---------------------------------------------------------------- diagnostics


def render(diagnostic, color=False):
    """The text of a diagnostic: message, place, notes with their places, help."""
    paint = _painter(color)
    head = f"{diagnostic.severity}[{diagnostic.code}]"
    style = _RED if diagnostic.severity == "error" else _YELLOW
    lines = [f"{paint(style, head)}: {paint(_BOLD, diagnostic.message)}", *_place(diagnostic.span, paint)]
    shown = _key(diagnostic.span)
    for note in diagnostic.notes:
        lines.append(f"{paint(_BOLD, 'note')}: {note.text}")
        if note.span.line and _key(note.span) != shown:  # else the line is there already
            lines += _place(note.span, paint)
            shown = _key(note.span)
    if diagnostic.help:
        lines.append(f"{paint(_BOLD, 'help')}: {diagnostic.help}")
    return "\n".join(lines)


def to_dict(diagnostic):
    """A diagnostic as docs/messages.md describes its JSON form."""
    import json

    return json.loads(diagnostic.json)


def to_json(diagnostics):
    """A JSON array with an object per diagnostic."""
    import json

    return json.dumps([to_dict(diagnostic) for diagnostic in diagnostics], indent=2)


_shown_warnings = {}


def warn(diagnostics):
    """Issues warnings; those with a place in a kernel once per place, as Python does for its own."""
    from pyasc.errors import PyascWarning

    for diagnostic in diagnostics:
        warning = PyascWarning(diagnostic)
        if diagnostic.span.line:
            warnings.warn_explicit(warning, PyascWarning, diagnostic.span.file, diagnostic.span.line, registry=_shown_warnings)
        else:
            warnings.warn(warning, stacklevel=2)


# ---------------------------------------------------------------- uncaught errors and warnings

_OURS = tuple(os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), package, "") for package in ("asc", "pyasc"))


def format_error(error, color=False):
    """What an uncaught PyascError prints: the lines of the user's code that led to it, and the report."""
    import traceback

    trace = traceback.TracebackException.from_exception(error)
    chained = trace
    while chained is not None:
        frames = [frame for frame in chained.stack if not os.path.realpath(frame.filename).startswith(_OURS)]
        chained.stack = traceback.StackSummary.from_list(frames)
        if chained.__cause__ is not None and not chained.__cause__.stack:  # its text is in the report
            chained.__cause__, chained.__suppress_context__ = None, True
        chained = chained.__cause__ or (None if chained.__suppress_context__ else chained.__context__)
    text = "".join(trace.format()).removesuffix("".join(trace.format_exception_only()))
    notes = getattr(error, "__notes__", [])
    return "\n".join([f"{text}{type(error).__module__}.{type(error).__qualname__}: {error.text(color)}", *notes, ""])


def install():
    """Has Python print uncaught PyascErrors and PyascWarnings in colour and without our own frames; all else is as it was."""
    from pyasc.errors import PyascError, PyascWarning

    other_hook, other_format = sys.excepthook, warnings.formatwarning

    def excepthook(kind, error, trace):
        if not isinstance(error, PyascError):
            return other_hook(kind, error, trace)
        if sys.stderr is not None:
            print(format_error(error.with_traceback(trace), use_color(sys.stderr)), end="", file=sys.stderr)

    def formatwarning(message, category, filename, lineno, line=None):
        if not isinstance(message, PyascWarning):
            return other_format(message, category, filename, lineno, line)
        return render(message.diagnostic, sys.stderr is not None and use_color(sys.stderr)) + "\n"

    sys.excepthook, warnings.formatwarning = excepthook, formatwarning
