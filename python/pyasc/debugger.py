# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a Python debugger sees of a kernel that runs in the simulator: a real frame for every function of the kernel that runs.

The frame runs a shadow of the function: a loop with one statement for each line that the simulator may stop at. All that such a statement
does is to let the simulator go on to the next line. Only these statements have line numbers, those of the user's file, so that tracing sees
nothing else.
"""

import types

import numpy as np

try:
    from ml_dtypes import bfloat16
except ImportError:
    bfloat16 = float  # of one number; its raw bits are what an array of them shows

_ACTIVATION = "activation"  # stands in the constants of a shadow for the function that runs


def shadow(name, filename, first_line, lines):
    """The code object of a function whose statements are at `lines`; `bind` makes it ready to run."""
    text = "def shadow():\n while True:\n"
    places = {1: first_line}  # in `text` -> in the user's file
    for line in lines:
        places[text.count("\n") + 2] = line
        text += f"  if '{_ACTIVATION}'.line == {line}:\n   if '{_ACTIVATION}'.step(): return '{_ACTIVATION}'.result\n"
    code = next(c for c in compile(text, filename, "exec").co_consts if hasattr(c, "co_code"))
    return code.replace(
        co_name=name,
        co_qualname=name,
        co_firstlineno=first_line,
        co_linetable=_linetable([places.get(line) for line, *_ in code.co_positions()], first_line),
        co_flags=code.co_flags & ~0x3,  # its variables are those of a mapping, as in a module or a class
    )


def bind(code, activation):
    """The shadow for one call of its function."""
    return code.replace(co_consts=tuple(activation if c == _ACTIVATION else c for c in code.co_consts))


def _linetable(lines, first_line):
    """The table of line numbers of a code object, from the line of each of its units; None: no line (Objects/locations.md of CPython)."""
    table, last, start = bytearray(), first_line, 0
    for end in range(1, len(lines) + 1):
        line = lines[start]
        if end < len(lines) and end - start < 8 and lines[end] == line:
            continue
        kind, delta = (15, []) if line is None else (13, _signed(line - last))
        table.append(0x80 | kind << 3 | end - start - 1)
        table.extend(delta)
        last, start = line or last, end
    return bytes(table)


def _signed(number):
    """A number in pieces of six bits, the sign in the lowest one."""
    number, pieces = abs(number) << 1 | (number < 0), []
    while number >= 64:
        pieces.append(64 | number & 63)
        number >>= 6
    return [*pieces, number]


def view(memory, dtype):
    """The elements of a tensor. Writing to them changes the tensor."""
    if dtype == "bfloat16":
        dtype = np.uint16 if bfloat16 is float else bfloat16
    dtype = np.dtype(dtype)
    return np.ndarray(memoryview(memory).nbytes // dtype.itemsize, dtype, memory)


def attributes(value):
    """The attributes of an object of a Python class, wherever it keeps them."""
    slots = [getattr(cls, "__slots__", ()) for cls in type(value).__mro__]
    names = [name for these in slots for name in ((these,) if isinstance(these, str) else these)]
    return {name: getattr(value, name) for name in [*names, *getattr(value, "__dict__", ())] if hasattr(value, name)}


def make(cls, values):
    """An object of a Python class with these attributes."""
    try:
        made = object.__new__(cls)
        for name, value in values.items():
            object.__setattr__(made, name, value)
    except (TypeError, AttributeError):  # classes with a part in C
        return types.SimpleNamespace(**values)
    return made


class StandIn:
    """Stands for a variable that means nothing outside of the compiler: a queue, a nested function."""

    __slots__ = ("text",)

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text
