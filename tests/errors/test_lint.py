# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `pyasc lint FILE`: all errors and warnings of the kernels in a file, which is not run.
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pyasc.errors import PyascError
from pyasc.lint import lint
from support.python_kernel import kernel_of

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = sorted((ROOT / "tests" / "errors" / "programs").glob("[LT]*.py"))
NOT_COMPILED = {"L301_on_the_host"}  # a mistake of the launch

HEAD = "import asc\nimport numpy as np\n\n"


def linted(folder, text):
    path = folder / "kernels.py"
    path.write_text(HEAD + text)
    found, notes = lint(str(path))
    return [(d.code, d.span.line - HEAD.count("\n")) for d in found], notes


def kernel(name, parameters, *lines):
    return f"@asc.jit\ndef {name}({parameters}):\n" + "".join(f"    {line}\n" for line in lines) + "\n\n"


@pytest.mark.parametrize("program", [p for p in PROGRAMS if p.stem not in NOT_COMPILED], ids=lambda p: p.stem)
def test_programs_with_a_mistake(program):
    found, notes = lint(str(program))
    assert {d.code for d in found} == {program.stem.split("_")[0]} and not notes


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.stem)
def test_examples_are_clean(example):
    assert lint(str(example)) == ([], [])


def test_kernels_that_are_only_annotated(tmp_path):
    text = kernel("one", "x: asc.GlobalAddress, n: int", "n + 1") + kernel("two", "n: np.uint16", "if n < 0: n = 1")
    assert linted(tmp_path, text) == ([("L601", 3), ("T203", 8)], [])


FINE = {
    "a loop switched off": kernel("k", "n: int", "while False:", "    n += 1", "while 0:", "    n += 1", "while '':", "    n += 1"),
    "a function named like range": "@asc.jit\ndef myrange(a, b):\n    return [b, a]\n\n\n"
    + kernel("k", "n: int", "for i in myrange(3, 1): n += i"),
    "a text behind return": kernel("k", "n: int", "if n > 0:", "    return", "    'what follows'", "    ..."),
    "a function for signed and unsigned": kernel("least", "v", "return v if v >= 0 else 0")
    + kernel("k", "n: np.uint16, m: int", "if least(n) + least(m) > 3: asc.pipe_barrier(asc.PipeID.PIPE_ALL)"),
    "a range of an unsigned number": kernel("k", "n: np.uint16", "if n in range(4): asc.pipe_barrier(asc.PipeID.PIPE_ALL)"),
    "operators with effects": """class Log:
    @asc.jit
    def __init__(self, x):
        self.g = asc.GlobalTensor()
        self.g.set_global_buffer(x, 64)

    @asc.jit
    def __lshift__(self, v):
        self.g.set_value(1, v)

    @property
    @asc.jit
    def flush(self):
        self.g.set_value(2, 77)

    @asc.jit
    def __getitem__(self, i):
        self.g.set_value(3, i)


"""
    + kernel("k", "x: asc.GlobalAddress, n: int", "log = Log(x)", "log << 4", "log.flush", "log[9]"),
}


@pytest.mark.parametrize("what", FINE)
def test_no_false_alarm(tmp_path, what):
    assert linted(tmp_path, FINE[what]) == ([], [])


@pytest.mark.parametrize("decorator", ["pyasc.kernel", "kernel"])
def test_registered_kernels(tmp_path, decorator):
    """Registering a kernel runs, what launches it does not; roles are checked too."""
    roles = f'@{decorator}("linted", inputs=("x",), outputs=(), tiling=pyasc.tiling.rowwise(64))\n'
    text = "import pyasc\nfrom pyasc import kernel\n" + roles + kernel("one", "x: asc.GlobalAddress, rows: int", "rows + 1")
    text += roles + kernel("two", "x: asc.GlobalAddress, lines: int", "lines + 1")
    text += 'pyasc.Stream().launch(pyasc.Kernel("nobody"))\n'
    assert linted(tmp_path, text) == ([("L601", 6), ("K161", 9)], [])


@pytest.mark.parametrize("path", sorted((ROOT / "python/pyasc/kernels").glob("*.py")), ids=lambda p: p.stem)
def test_kernels_of_pyasc_are_clean(path):
    assert lint(str(path))[0] == []


def test_one_error_does_not_hide_another(tmp_path):
    text = kernel("one", "x: asc.GlobalAddress", "a") + kernel("two", "x: asc.GlobalAddress", "b") + kernel("three", "n: float", "n & 1")
    assert linted(tmp_path, text)[0] == [("L102", 3), ("L102", 8), ("T106", 13)]


def test_all_errors_of_a_kernel(tmp_path):
    """After an error the next statement is looked at. What uses a name that was not set tells nothing of its own."""
    lines = [
        "g = asc.GlobalTensor()",  # line 3
        "g.set_global_buffer(nowhere, 64)",
        "g.set_value(0, n)",  # g is unknown
        "a = b + 1",
        "c = a * 2 + a",  # a is unknown, and so is c
        "if c > 3:",
        "    d = never",  # not looked at: nobody knows the condition
        "n.foo",
        "if n > 3:",
        "    e = 1",
        "    e = wrong",
        "else:",
        "    e = 2",
        "e + n",
        "for i in range(n):",
        "    f = i",
        "    f = mistake + i",
        "    f += 1",
        "f",
        "while n > 0:",
        "    n = n - undefined",
        "items = [1, 2]",
        "items.append(lost)",
        "items[7]",
        "x.y = 3",
        "del n",
        "h = 7",
        "h & 1.5",
    ]
    found = [(code, line) for code, line in linted(tmp_path, kernel("k", "x: asc.GlobalAddress, n: int", *lines))[0]]
    wrong = ["nowhere", "b + 1", "n.foo", "wrong", "mistake", "undefined", "lost", "x.y", "del n", "h & 1.5"]
    expected = [next(i for i, line in enumerate(lines, 3) if word in line) for word in wrong]
    assert [line for _, line in found] == expected
    assert [code for code, _ in found] == ["L102", "L102", "L402", "L102", "L102", "L102", "L102", "L402", "L001", "L201"]


def test_all_errors_of_functions(tmp_path):
    """Both errors of a function are told once, with the call, and nothing of what its callers do with the result."""
    text = kernel("scaled", "n", "a = one", "if n > 3:", "    return two", "return n")
    text += kernel("user", "n", "return scaled(n) + three")
    text += kernel("k", "n: int", "r = user(n)", "r & 1", "s = (lambda v: four)(n)", "s + 1", "user(n + 1)", "five")
    path = tmp_path / "kernels.py"
    path.write_text(HEAD + text)
    found, notes = lint(str(path))
    assert [d.message.split("'")[1] for d in found] == ["one", "two", "four", "five"] and not notes
    assert [[note.text for note in d.notes] for d in found[:2]] == [["scaled() is called here", "user() is called here"]] * 2


def test_recovery_is_for_lint_only():
    with pytest.raises(PyascError) as caught:
        kernel_of("a = one\nb = two").compile(np.zeros(8, np.int32))
    assert len(caught.value.diagnostics) == 1


METHODS = """class Scale:
    def __init__(self, factor):
        self.factor = factor

    @asc.jit
    def kernel(self, x: asc.GlobalAddress, n: asc.ConstExpr[int]):
        g = asc.GlobalTensor()
        g.set_global_buffer(x, n)
        asc.static_assert(self.factor == 3 and g.dtype == asc.float32 and n == 8)
        undefined

    @classmethod
    @asc.jit
    def of_class(cls, x: asc.GlobalAddress):
        wrong

    @staticmethod
    @asc.jit
    def plain(n: int):
        missing

    def __call__(self, x):
        self.kernel[1](x, 8)


"""


def test_methods_are_kernels(tmp_path):
    launches = "scale = Scale(3)\nx = np.zeros(8, np.float32)\n", "scale.kernel[2](x, 8)\n"
    expected = [("L102", line) for line in (10, 15, 20)]
    assert linted(tmp_path, METHODS + "".join(launches)) == (expected, [])
    assert linted(tmp_path, METHODS + "def main():\n    x = np.ones(8, np.float32)\n    Scale(3).kernel[1](x, 8)\n") == (expected, [])
    found, notes = linted(tmp_path, METHODS)
    assert found == expected[1:] and len(notes) == 1 and "Scale.kernel() is not checked: the file makes no Scale" in notes[0]


def test_kernels_that_calls_make(tmp_path):
    maker = """def make(count):
    size = count * 2

    @asc.jit
    def kernel(x: asc.GlobalAddress):
        asc.static_assert(size == 6)
        undefined

    return kernel


"""
    assert linted(tmp_path, maker + "kernel = make(3)\n") == ([("L102", 7)], [])
    assert linted(tmp_path, maker + "kernels = [make(n) for n in (3, 3)]\n") == ([("L102", 7)], [])
    assert linted(tmp_path, maker + "kernels = {}\nfor n in (3, 4):\n    one = make(n)\n") == ([("L205", 6), ("L102", 7)], [])
    effect = maker.replace("size = count * 2", "size = int(input()) * count")
    for text in (maker, maker + "kernel = make(int(input()))\n", effect + "kernel = make(3)\n"):
        found, notes = linted(tmp_path, text)
        assert found == [] and len(notes) == 1 and "kernel() is not checked: only running the file would make it" in notes[0]


def test_kernels_in_loops_and_branches(tmp_path):
    one = "    @asc.jit\n    def {}(n: int):\n        undefined\n\n"
    for head in ("for k in (1, 2):", "if unknown():", "if __name__ == '__main__':", "with unknown():", "if asc.int8 is not None:"):
        assert linted(tmp_path, f"{head}\n" + one.format("kernel")) == ([("L102", 4)], []), head
    both = "if unknown():\n" + one.format("first") + "else:\n" + one.format("second")
    assert linted(tmp_path, both) == ([("L102", 4), ("L102", 9)], [])
    for head in ("while True:", "if False:", "for k in unknown():", "def f():"):
        found, notes = linted(tmp_path, f"{head}\n" + one.format("kernel"))
        assert found == [] and len(notes) == 1 and ":5: kernel() is not checked: only running the file would make it" in notes[0], head


def test_functions_that_nobody_calls(tmp_path):
    text = kernel("scaled", "n: int", "return n * 2") + kernel("k", "n: int", "undefined")
    found, notes = linted(tmp_path, text)
    assert found == [("L102", 8)] and len(notes) == 1
    assert "scaled() is not checked: it is a function, and no kernel of the file that is checked calls it" in notes[0]


def test_nothing_runs(tmp_path):
    mark = tmp_path / "mark"
    text = (
        f"def effect():\n    open({str(mark)!r}, 'w').close()\n    return 4\n\n\n"
        + kernel("good", "x: asc.GlobalAddress", "asc.pipe_barrier(asc.PipeID.PIPE_ALL)")
        + kernel("unknown", "x: asc.GlobalAddress", "a = SIZE")
        + "SIZE = effect()\neffect()\n(lambda: effect())()\n[effect() for _ in 'a']\nclass C:\n    effect()\n\n"
        + "@effect\ndef f(a=effect()): pass\n\nwhile True:\n    effect()\n"
    )
    found, notes = linted(tmp_path, text)
    assert found == [] and len(notes) == 1 and "unknown() is not checked: it reads 'SIZE'" in notes[0] and not mark.exists()


def test_launches_tell_types(tmp_path):
    """The dtype of an array, the value of an asc.ConstExpr, from launches in functions, with names and options."""
    body = ["g = asc.GlobalTensor()", "g.set_global_buffer(x, n)", "asc.static_assert(g.dtype == asc.int16 and n == 32)"]
    text = kernel("k", "x: asc.GlobalAddress, n: asc.ConstExpr[int]", *body)
    for launch in (
        "k[1](np.zeros(8, np.int16), 32)",
        "N = 32\n\ndef main():\n    x = np.arange(8, dtype='int16')\n    k.options(check=False)[8](n=N, x=x)\n",
        "a = np.ones(8, dtype=np.int16)\nb = np.empty_like(a)\nk.compile(b, 32)",
        "x, y = np.zeros(8).astype(np.int16), 32\nk[1](x, y)",
    ):
        assert linted(tmp_path, text + launch) == ([], []), launch
    assert linted(tmp_path, text + "k[1](np.zeros(8, np.int16), 31)")[0] == [("L205", 5)]
    assert "no launch in the file tells the value of 'n'" in linted(tmp_path, text)[1][0]


def test_addresses_without_a_dtype(tmp_path):
    """One of the usual dtypes is enough."""
    head = ["g = asc.GlobalTensor()", "g.set_global_buffer(x, 64)"]
    assert linted(tmp_path, kernel("k", "x: asc.GlobalAddress", *head, "asc.static_assert(g.dtype == asc.int32)")) == ([], [])
    assert linted(tmp_path, kernel("k", "x: asc.GlobalAddress", *head, "asc.static_assert(g.dtype == asc.int8)"))[0] == [("L205", 5)]


def test_functions_are_checked_where_kernels_call_them(tmp_path):
    text = kernel("helper", "n", "undefined") + kernel("k", "x: asc.GlobalAddress", "helper(3)") + kernel("alone", "tile", "pass")
    found, notes = linted(tmp_path, text)
    assert found == [("L102", 3)] and len(notes) == 1 and "nothing in the file tells the type of 'tile'" in notes[0]


def test_definitions_that_fail(tmp_path):
    text = "import no_such_module\n\n" + kernel("k", "stream: int", "pass") + kernel("good", "n: int", "pass")
    found, notes = linted(tmp_path, text)
    assert found == [("K114", 3)] and len(notes) == 1 and "no_such_module" in notes[0]


def test_classes_with_decorated_methods(tmp_path):
    text = """
class Tiling:
    def __init__(self, rows):
        self.rows = rows

    @property
    def twice(self):
        return 2 * self.rows

    @staticmethod
    def of(rows):
        return Tiling(rows)


""" + kernel("k", "n: int, tiling: asc.ConstExpr = Tiling(4)", "undefined")
    found, notes = linted(tmp_path, text)
    assert [code for code, _ in found] == ["L102"] and not notes


def test_text_annotations(tmp_path):
    text = """from __future__ import annotations

from dataclasses import dataclass

import asc


@dataclass
class Tiling:
    rows: asc.int32


""" + kernel("k", "tiling: Tiling", "undefined")
    path = tmp_path / "text.py"
    path.write_text(text)
    found, notes = lint(str(path))
    assert [d.code for d in found] == ["L102"] and not notes


def command(*arguments):
    return subprocess.run([sys.executable, "-m", "pyasc", "lint", *map(str, arguments)], capture_output=True, text=True, timeout=120)


def test_command(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text(HEAD + kernel("k", "n: int", "undefined"))
    done = command(wrong, ROOT / "examples" / "01_add.py")
    assert done.returncode == 1 and "error[L102]" in done.stdout and done.stdout.endswith("1 error, 0 warnings\n") and not done.stderr
    done = command(ROOT / "examples" / "01_add.py")
    assert (done.returncode, done.stdout) == (0, "0 errors, 0 warnings\n")
    (tmp_path / "text.py").write_text("def\n")
    for path in (tmp_path / "text.py", tmp_path / "none.py"):
        done = command(path)
        assert done.returncode == 2 and "cannot be read" in done.stderr and "Traceback" not in done.stderr


def test_json(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text(HEAD + kernel("k", "n: int", "undefined"))
    (entry,) = json.loads(command("--json", wrong).stdout)
    assert entry["code"] == "L102" and entry["span"] == {"file": str(wrong), "line": 6, "column": 4, "end_line": 6, "end_column": 13}
    assert json.loads(command("--json", ROOT / "examples" / "01_add.py").stdout) == []


def test_what_holds_no_kernel(tmp_path):
    (tmp_path / "plain.py").write_text("x = 1\n")
    done = command(tmp_path / "plain.py")
    assert done.returncode == 0 and done.stderr.endswith("plain.py: there is no kernel in it\n")
    wrong = tmp_path / "package" / "wrong.py"
    wrong.parent.mkdir()
    wrong.write_text(HEAD + kernel("k", "n: int", "undefined"))
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "other.py").write_text("def\n")
    done = command(tmp_path)
    assert done.returncode == 1 and done.stdout.endswith("1 error, 0 warnings\n") and "L102" in done.stdout
