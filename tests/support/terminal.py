# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Python's debugger with commands from a list instead of a keyboard. The text is what a terminal would show.
import contextlib
import pdb
import re
import sys


class Terminal:
    """The debugger at every breakpoint(), until `commands` are used up."""

    def __init__(self, *commands: str):
        self.commands = list(commands)
        self.text = ""
        self.calls = []  # arguments of breakpoint()

    # ---- a file for pdb: the command shows where the user types it
    def readline(self) -> str:
        line = f"{self.commands.pop(0)}\n" if self.commands else ""
        self.text += line or "(end)\n"
        return line

    def write(self, text: str) -> None:
        self.text += re.sub(r"(?<=> )/\S*/", "", text)

    def flush(self) -> None:
        pass

    # ---- what breakpoint() calls
    def hook(self, *arguments, **keywords) -> None:
        self.calls.append((arguments, keywords))
        frame = sys._getframe(1)
        debugger = pdb.Pdb(stdin=self, stdout=self, nosigint=True, readrc=False)
        # As pdb.set_trace() up to Python 3.12; from 3.13 on it stops once more in the line of breakpoint().
        debugger.reset()
        while frame:
            frame.f_trace = debugger.trace_dispatch
            debugger.botframe = frame
            frame = frame.f_back
        debugger.set_step()
        sys.settrace(debugger.trace_dispatch)


@contextlib.contextmanager
def terminal(*commands: str):
    """Runs a block of code with the debugger at its breakpoints; what is traced before, such as by a coverage tool, is so afterwards."""
    tracer, hook = sys.gettrace(), sys.breakpointhook
    sys.settrace(None)
    made = Terminal(*commands)
    sys.breakpointhook = made.hook
    try:
        yield made
    finally:
        sys.breakpointhook = hook
        sys.settrace(tracer)


def steps(run, text: str):
    """What a tracer sees after the first breakpoint() in functions of a file with `text` in its name: (function, line, visible ints) for a
    line, (function, line, value) for a return. Lambdas and comprehensions are part of their lines."""
    seen = []

    def tracer(frame, event, argument):
        code = frame.f_code
        if text not in code.co_filename or code.co_name.startswith("<"):
            return None
        if event == "line":
            ints = {name: value for name, value in frame.f_locals.items() if type(value) in (int, bool)}
            seen.append((code.co_name, frame.f_lineno, ints))
        elif event == "return":
            seen.append((code.co_name, frame.f_lineno, argument))
        return tracer

    def hook():
        frame = sys._getframe(1)
        while text in frame.f_code.co_filename:
            frame.f_trace = tracer
            frame = frame.f_back
        sys.settrace(tracer)

    with terminal():
        sys.breakpointhook = hook
        run()
    return seen
