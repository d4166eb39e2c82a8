# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The source text of a function: found through its code object, and trusted only when compiling it gives that code object again."""

import ast
import contextlib
import io
import itertools
import linecache
import os
import sys
import threading
import types
import warnings

from . import _core


class Source:
    """What the front end reads: the syntax tree of a function and where its lines are in the file."""

    __slots__ = ("filename", "line_offset", "lines", "tree", "walrus")

    def __init__(self, tree, filename, line_offset, lines):
        self.tree = tree
        self.filename = filename
        self.line_offset = line_offset  # added to the line numbers of the tree
        self.lines = lines
        self.walrus = any(":=" in line for line in lines)


_LIMIT = 1024  # functions whose source is kept
_cache = {}  # id of a code object -> (code object, Source); holding the code object keeps its id taken


def load(function):
    """Return the Source of a plain Python function, or raise what the user has to know."""
    code = function.__code__
    if _watched is not None:
        _watched.add(function)
    found = _cache.get(id(code))
    if found is not None:
        return found[1]
    try:
        source = _read(function, code)
    except RecursionError:
        _refuse(
            "L204",
            f"an expression or statement of {code.co_name}() is nested too deeply for Python's ast module",
            "split long expressions into several statements, or raise sys.setrecursionlimit()",
            code,
        )
    if len(_cache) >= _LIMIT:
        _cache.clear()
    _cache[id(code)] = (code, source)
    return source


_watched = None  # where to enter the functions that are asked for


@contextlib.contextmanager
def watch(functions):
    """Adds the functions that are translated to the set."""
    global _watched
    _watched = functions
    try:
        yield
    finally:
        _watched = None


def _read(function, code):
    if code.co_name == "<lambda>":
        _refuse("L001", "a lambda outside of a kernel is not compiled", "write a function decorated with @asc.jit", code)
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, function.__globals__)
    unregistered = {"<string>": _command_lines, "<stdin>": _stdin_lines}.get(code.co_filename)
    if unregistered and not lines:
        lines = unregistered()
    first = code.co_firstlineno
    matched = None
    if 0 < first <= len(lines):
        matched = _parse_function(lines, code, function.__globals__) or _parse_file(lines, code)
    if matched is None and (unregistered or not 0 < first <= len(lines)):
        _refuse(
            "L501",
            f"the source text of {code.co_name}() is not available",
            "put the function into a file; text run by exec() can be registered in linecache.cache under its file name",
            code,
        )
    if matched is None:
        _refuse(
            "L502",
            f"the source text of {code.co_name}() is not what Python runs",
            "the file was edited after it was imported, or a tool rewrote the function: run it again with the present text",
            code,
        )
    if unregistered:  # as Python does itself from 3.13 on; messages show the lines
        linecache.cache.setdefault(code.co_filename, (sum(map(len, lines)), None, lines, code.co_filename))
    tree, offset = matched
    return Source(tree, code.co_filename, offset, lines)


def _command_lines():
    """The lines of the program in `python -c program`. Other text that is run without a file is called "<string>" too."""
    for option, program in itertools.pairwise(sys.orig_argv[1:]):
        if option.startswith("-") and not option.startswith("--") and option.endswith("c"):
            return io.StringIO(program, None).readlines()
    return []


def _stdin_lines():
    """The lines of the program in `python < file`, which can be read again; what came through a pipe is gone."""
    try:
        raw = os.pread(0, os.fstat(0).st_size, 0)
    except OSError:
        return []
    return io.TextIOWrapper(io.BytesIO(raw), sys.stdin.encoding if sys.stdin else "utf-8", "replace").readlines()


def _refuse(code, message, help, function_code):
    from . import errors

    line = max(function_code.co_firstlineno, 1)
    span = _core.Span(function_code.co_filename, line, 0, line, 0)
    raise errors.from_diagnostics([_core.Diagnostic(code, message, help, span)])


def _last_line(code):
    """The last line that an instruction of the function, or of a function inside of it, comes from."""
    last = max((line for _, _, line in code.co_lines() if line), default=code.co_firstlineno)
    return max([last, *(_last_line(c) for c in code.co_consts if isinstance(c, types.CodeType))])


def _indentation(line):
    return len(line) - len(line.lstrip(" \t\f"))


_warnings_lock = threading.Lock()


def _new_lock():  # a thread that is gone in the child of a fork may have had it
    global _warnings_lock
    _warnings_lock = threading.Lock()


os.register_at_fork(after_in_child=_new_lock)


def _parse(text, code):
    """Tree and code object of a text; Python has given its warnings about it before."""
    with _warnings_lock, warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        tree = ast.parse(text, code.co_filename)
        return tree, compile(tree, code.co_filename, "exec", code.co_flags & _FUTURE, True)


def _parse_function(lines, code, variables):
    """Parse just the lines of the function: fast, and enough for nearly all."""
    start = code.co_firstlineno - 1
    indentation = _indentation(lines[start])
    end = _last_line(code)
    # Lines without instructions may follow: `pass`, comments, what was optimised away.
    while end < len(lines) and (not lines[end].strip() or _indentation(lines[end]) > indentation):
        end += 1
    text = "".join(lines[start:end])
    offset = start
    if code.co_freevars:  # they must be variables of an enclosing function again
        if not indentation:
            return None
        margin = lines[start][:indentation]
        text = f"def _():\n{margin}{'='.join(code.co_freevars)}=0\n{text}"
        offset -= 2
    elif indentation:
        text = "if 1:\n" + text
        offset -= 1
    # Python compiles the call of a function of a module otherwise when it sees where the module is imported.
    modules = [name for name in code.co_names if isinstance(variables.get(name), types.ModuleType)]
    if modules:
        text = f"import {', '.join(modules)}\n{text}"
        offset -= 1
    try:
        tree, compiled = _parse(text, code)
    except (SyntaxError, ValueError):
        return None
    return _match(tree, compiled, code, offset)


def _parse_file(lines, code):
    """Parse the whole file: for functions that need what is around them, such as the class they are in."""
    text = "".join(lines)
    try:
        tree, compiled = _parse(text, code)
    except (SyntaxError, ValueError):
        return None
    return _match(tree, compiled, code, 0)


_FUTURE = 0
for _name in __import__("__future__").all_feature_names:
    _FUTURE |= getattr(__import__("__future__"), _name).compiler_flag


def _match(tree, compiled, code, offset):
    first = code.co_firstlineno - offset
    node = _find_node(tree, code.co_name, first)
    twin = _find_code(compiled, code.co_name, first)
    if node is None or twin is None or not (_same(twin, code) or _rewritten_by_pytest(twin, code)):
        return None
    return node, offset


def _find_node(tree, name, line):
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            decorators = node.decorator_list
            if (decorators[0].lineno if decorators else node.lineno) == line:
                return node
        pending.extend(s for s in ast.iter_child_nodes(node) if isinstance(s, (ast.stmt, ast.excepthandler, ast.match_case)))
    return None


def _find_code(code, name, line):
    pending = [code]
    while pending:
        code = pending.pop()
        if code.co_name == name and code.co_firstlineno == line:
            return code
        pending.extend(c for c in code.co_consts if isinstance(c, types.CodeType))
    return None


def _same(a, b):
    """Whether two code objects do the same, wherever they stand in a file."""
    parts = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars")
    if any(getattr(a, part) != getattr(b, part) for part in parts) or len(a.co_consts) != len(b.co_consts):
        return False
    for x, y in zip(a.co_consts, b.co_consts, strict=True):
        if isinstance(x, types.CodeType) and isinstance(y, types.CodeType):
            if not _same(x, y):
                return False
        elif type(x) is not type(y) or repr(x) != repr(y):
            return False
    return True


def _rewritten_by_pytest(plain, code):
    """pytest replaces the assert statements of test files; the rest of the function is as it was."""
    names = set(code.co_names + code.co_varnames)
    if not any(name.startswith("@py") for name in names):
        return False
    return set(plain.co_varnames) <= names and set(plain.co_names) - {"AssertionError"} <= names
