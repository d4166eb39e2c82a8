# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagnostics as people read them, with the source line underlined, and as JSON."""

import linecache
import os
import sys
import warnings

_RED, _YELLOW, _BLUE, _BOLD, _END = "\033[1;31m", "\033[1;33m", "\033[1;34m", "\033[1m", "\033[0m"


def use_color(stream):
    """Colour is for terminals, unless NO_COLOR is set."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def _shown_path(path):
    relative = os.path.relpath(path) if os.path.isabs(path) else path
    return relative if len(relative) < len(path) else path


def _place(span, paint):
    """Lines for a place: file:line:column, the source line, and the span underlined."""
    if span.line == 0:
        return []
    source = linecache.getline(span.file, span.line).rstrip("\n")
    raw = source.encode()
    # Columns count UTF-8 bytes; the underline counts characters.
    start = len(raw[: span.column].decode(errors="replace"))
    end = len(raw[: span.end_column].decode(errors="replace")) if span.end_line == span.line else len(source)
    lines = [f"{paint(_BLUE, '  -->')} {_shown_path(span.file)}:{span.line}:{start + 1}"]
    if source.strip():
        number, gutter = str(span.line), " " * len(str(span.line))
        indent = "".join("\t" if c == "\t" else " " for c in source[:start])
        bar = paint(_BLUE, "|")
        lines.append(f"{paint(_BLUE, number)} {bar} {source}")
        lines.append(f"{gutter} {bar} {indent}{paint(_RED, '^' * max(end - start, 1))}")
    return lines


def _key(span):
    return span.file, span.line, span.column, span.end_line, span.end_column


def render(diagnostic, color=False):
    """The text of a diagnostic: message, place, notes with their places, help."""

    def paint(style, text):
        return f"{style}{text}{_END}" if color else text

    head = f"{diagnostic.severity}[{diagnostic.code}]"
    style = _RED if diagnostic.severity == "error" else _YELLOW
    lines = [f"{paint(style, head)}: {paint(_BOLD, diagnostic.message)}", *_place(diagnostic.span, paint)]
    shown = _key(diagnostic.span)
    for note in diagnostic.notes:
        lines.append(f"{paint(_BOLD, 'note')}: {note.text}")
        if _key(note.span) != shown:  # the line is there already
            lines += _place(note.span, paint)
        shown = _key(note.span)
    if diagnostic.help:
        lines.append(f"{paint(_BOLD, 'help')}: {diagnostic.help}")
    return "\n".join(lines)


def _span_dict(span):
    return {name: getattr(span, name) for name in ("file", "line", "column", "end_line", "end_column")} if span.line else None


def to_dict(diagnostic):
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "span": _span_dict(diagnostic.span),
        "notes": [{"text": note.text, "span": _span_dict(note.span)} for note in diagnostic.notes],
        "help": diagnostic.help,
    }


def to_json(diagnostics):
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


def print_report(diagnostics, stream=None):
    stream = stream or sys.stderr
    for diagnostic in diagnostics:
        print(render(diagnostic, use_color(stream)), file=stream)
