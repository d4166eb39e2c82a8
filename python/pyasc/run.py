# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pyasc run FILE`: runs a script as `python FILE` does, with the checks of all launches on, or a .kernel file in this process."""

import atexit
import builtins
import contextlib
import io
import os
import sys
import threading
import types
from importlib.machinery import SourceFileLoader

from pyasc import checks, report

FINDINGS, UNREADABLE, INTERRUPTED = 1, 2, 130


def _as_main(path, arguments):
    """Makes the process look as if Python had been started with the script; gives the variables of its module."""
    sys.argv = [path, *arguments]
    if not sys.flags.safe_path:
        sys.path[0] = os.path.dirname(os.path.realpath(path))
    file = os.path.abspath(path)
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=file, __builtins__=builtins, __loader__=SourceFileLoader("__main__", file))
    sys.modules["__main__"] = module
    return module.__dict__


def _exit_status(error):
    """What Python makes of a SystemExit."""
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code
    print(error.code, file=sys.stderr)
    return 1


def _execute(text, variables):
    """Runs the script to its end, threads, streams and exit handlers included. Gives its status, and the exceptions that it showed."""
    status, shown = 0, []
    try:
        exec(compile(text, variables["__file__"], "exec", dont_inherit=True), variables)
    except SystemExit as error:
        status = _exit_status(error)
    except BaseException as error:
        ours = error.__traceback__
        sys.excepthook(type(error), error.with_traceback(ours.tb_next), ours.tb_next)
        status, shown = INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1, [error]
    for thread in threading.enumerate():
        if not thread.daemon and thread is not threading.current_thread():
            thread.join()
    if "pyasc.stream" in sys.modules:
        shown += sys.modules["pyasc.stream"].finish(cancel=bool(shown))
    atexit._run_exitfuncs()  # what they launch counts, too
    return status, shown


def _distinct(launches):
    """The findings of launches, each once."""
    return list({report.render(finding): finding for launch in launches for finding in launch}.values())


def _run_kernel_file(data, path, arguments, check, seed, json_file):
    from pyasc.compile import run_file

    options = [] if check == "all" else ["--check", check]
    options += [] if seed is None else ["--seed", str(seed)]
    try:
        if json_file is None:
            return run_file(data, [*options, *arguments], path)
        return run_file(data, ["--json", *options, *arguments], path, json_file.write)
    except KeyboardInterrupt:
        return INTERRUPTED


def run(path, arguments=(), check="all", seed=None, json_file=None):
    """Runs a script under checks and gives the exit status: the script's own; 1 when that is 0 and launches had findings, caught or not;
    2 when the file cannot be read, or that for findings cannot be written. A .kernel file has its own statuses."""
    try:
        with io.open_code(os.path.abspath(path)) as file:
            text = file.read()
    except OSError as error:
        print(f"pyasc: {path} cannot be read: {error.strerror}", file=sys.stderr)
        return UNREADABLE
    with contextlib.ExitStack() as stack:
        try:
            out = None if json_file is None else stack.enter_context(open(json_file, "w"))
        except OSError as error:
            print(f"pyasc: {json_file} cannot be written: {error.strerror}", file=sys.stderr)
            return UNREADABLE
        if text.startswith(b"\x7fELF"):  # no script: a .kernel file, or a damaged one
            return _run_kernel_file(text, path, arguments, check, seed, out)
        return _run_script(text, path, arguments, check, seed, out)


def _run_script(text, path, arguments, check, seed, json_file):
    checks.force(check, seed, "--check")
    with checks.collect() as launches:
        status, errors = _execute(text, _as_main(path, arguments))
    if json_file is not None:
        json_file.write(report.to_json(_distinct(launches)) + "\n")
    shown = [launch for launch in launches if not any(launch is getattr(error, "diagnostics", None) for error in errors)]
    if shown:
        color = report.use_color(sys.stderr)
        print("".join(report.render(finding, color) + "\n\n" for finding in _distinct(shown)), end="", file=sys.stderr)
        many = "1 launch" if len(shown) == 1 else f"{len(shown)} launches"
        print(f"pyasc run: {many} had findings, and the script went on", file=sys.stderr)
    return status or (FINDINGS if launches else 0)
