# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fuzz of the front end: kernels of the corpus (error programs, examples, kernels of the tests) are mutated and compiled, and launched with
small limits. Every outcome is success or a PyascError whose code exists and whose places lie in the text; anything else is a finding, as
are crashes and programs that take more than a few seconds.

    python fuzz/source_text.py --programs 1000 --seed 1 --keep FOLDER

runs programs in child processes, prints what came out, and keeps each finding as a file in FOLDER. Program number n of a seed is always the
same text."""

import argparse
import ast
import builtins
import copy
import json
import linecache
import random
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = (
    "tests/errors/programs/*.py",
    "python/pyasc/explained/*.py",
    "examples/*.py",
    "tests/kernels/twins.py",
    "tests/runtime/runtime_kernels.py",
    "docs/*.md",
)
SECONDS = 10  # a program that takes longer hangs
VALUES = (
    "0 1 -1 2 3 7 8 16 31 32 64 255 2**15 2**31 2**31-1 -2**31 2**32 2**63 -2**63 2**64 10**30 0.5 -0.0 1e38 1e308 True False None".split()
)
VALUES += ["'text'", "''", "b'x'", "()", "(1, 2)", "[]", "[0]", "{}", "{1: 2}", "{1, 2}", "...", "1j", "float('nan')", "float('inf')"]
VALUES += ["asc.float16", "asc.float32", "asc.int8", "asc.uint32", "asc.int64", "asc.TPosition.VECIN", "asc.HardEvent.V_MTE3", "asc", "len"]
STATEMENTS = (
    """
if {e}:\n    {s}
for i in range({e}):\n    {s}
for i in asc.static_range({e}):\n    {s}
for i, (j, k) in enumerate([({e}, {e})]):\n    {s}
while {e}:\n    {s}
while {e}:\n    {s}\n    break
for i in range({e}):\n    if {e}:\n        continue\n    {s}\nelse:\n    {s}
def inner(a, *b, c={e}):\n    {s}\n    return {e}
with {e} as w:\n    {s}
try:\n    {s}\nexcept Exception:\n    pass
match {e}:\n    case 1:\n        {s}
return {e}
assert {e}, {e}
x = {e}
x += {e}
x, *y = {e}
x: {e} = {e}
[x, (y, z)] = {e}
x[{e}] = {e}
x.y = {e}
del x
global x
{e}
print({e}, {e})
asc.printf({e}, {e})
pass
""".strip()
    .replace("\\n", "\n")
    .split("\n")
)
EXPRESSIONS = (
    """
{e} + {e};{e} - {e};{e} * {e};{e} / {e};{e} // {e};{e} % {e};{e} ** {e};{e} << {e};{e} >> {e};{e} & {e};{e} | {e};{e} ^ {e};{e} @ {e}
-{e};~{e};not {e};+{e};{e} and {e};{e} or {e};{e} < {e} <= {e};{e} == {e} != {e};{e} in ({e}, {e});{e} is {e};{e} if {e} else {e}
[{e} for i in range({e})];{{i: {e} for i in ({e},)}};sum({e} for i in range({e}));any({e} for i in {e});(q := {e});(lambda p: {e})({e})
{e}[{e}];{e}[{e}:{e}];{e}[{e}:];{e}[:, {e}];{e}.x;{e}.dtype;{e}.get_value({e});{e}.cast({e});{e}({e});{e}({e}, a={e});{e}(*{e});{e}(**{e})
f"{{{e}}}";f"{{{e}:{{{e}}}}}";min({e}, {e});max({e});abs({e});len({e});int({e});float({e});bool({e});divmod({e}, {e});str({e});range({e})
list({e});tuple({e});sorted({e});zip({e}, {e});isinstance({e}, {e});getattr({e}, 'x', {e});asc.number({e}, {e});asc.ceildiv({e}, {e})
asc.get_block_idx();asc.GlobalTensor();asc.LocalTensor({e}, {e}, {e}, {e});asc.TPipe();asc.TQue({e}, {e});asc.range({e}, {e});round({e})
""".strip()
    .replace("\n", ";")
    .split(";")
)
STATEMENTS = [text.replace("\\n", "\n") for text in STATEMENTS]


# ---------------------------------------------------------------- the corpus


def _sources():
    for pattern in CORPUS:
        for path in sorted(ROOT.glob(pattern)):
            text = path.read_text()
            if path.suffix == ".md":
                yield from (part.split("```")[0] for part in text.split("```python\n")[1:])
            else:
                yield text


def _kept(statement):
    """What a program keeps of a file: imports, constants, functions and classes; nothing that runs kernels."""
    if isinstance(statement, ast.Assign):
        return all(isinstance(target, ast.Name) for target in statement.targets) and all(
            not isinstance(node, ast.Call) or ast.unparse(node.func).startswith("asc.") for node in ast.walk(statement.value)
        )
    return isinstance(statement, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef)


def corpus():
    """The modules of the corpus that define kernels, as syntax trees."""
    modules = []
    for text in _sources():
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        tree.body = [statement for statement in tree.body if _kept(statement)]
        if any("asc.jit" in ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            modules.append(tree)
    return modules


class Pool:
    """Statements and expressions of all kernels of the corpus, and the names of the language."""

    def __init__(self, modules):
        import asc

        functions = [node for tree in modules for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        self.modules = modules
        self.statements = [s for f in functions for s in ast.walk(f) if isinstance(s, ast.stmt) and not isinstance(s, ast.FunctionDef)]
        self.expressions = [
            e
            for f in functions
            for s in f.body
            for e in ast.walk(s)
            if isinstance(e, ast.expr) and isinstance(getattr(e, "ctx", None), ast.Load | None)
        ]
        self.names = [f"asc.{name}" for name in sorted(vars(asc)) if name[0].isalpha()]  # pytest adds others


# ---------------------------------------------------------------- mutations


class Mutator:
    def __init__(self, pool, seed):
        self.pool, self.random = pool, random.Random(seed)

    def program(self):
        """The text of one program."""
        tree = copy.deepcopy(self.random.choice(self.pool.modules))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        for _ in range(self.random.choice((1, 1, 2, 3, 5, 8))):
            self.random.choice(
                (
                    self.replace_expression,
                    self.replace_expression,
                    self.edit_statements,
                    self.edit_statements,
                    self.call_api,
                    self.edit_signature,
                )
            )(self.random.choice(functions))
        self.name_what_exists(tree, functions)
        text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        return self.edit_text(text) if self.random.random() < 0.15 else text

    def name_what_exists(self, tree, functions):
        """Most names that came from elsewhere become names of the function they are in: else nearly all programs end at an unknown name."""
        everywhere = {alias.asname or alias.name for s in tree.body if isinstance(s, ast.Import | ast.ImportFrom) for alias in s.names}
        everywhere |= {s.name for s in tree.body if isinstance(s, ast.FunctionDef | ast.ClassDef)}
        everywhere |= {
            n.id for s in tree.body if isinstance(s, ast.Assign) for t in s.targets for n in ast.walk(t) if isinstance(n, ast.Name)
        }
        for function in functions:
            names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
            local = [node.arg for node in ast.walk(function) if isinstance(node, ast.arg)]
            local += sorted({node.id for node in names if isinstance(node.ctx, ast.Store)})
            known = everywhere | set(local) | set(dir(builtins))
            for node in names:
                if node.id not in known and local and self.random.random() < 0.95:
                    node.id = self.random.choice(local)

    def value(self, depth=0):
        """The text of a random expression."""
        kind = self.random.randrange(6)
        if depth > 3 or kind == 0:
            return self.random.choice(VALUES)
        if kind == 1:
            return self.random.choice(self.pool.names)
        if kind == 2:
            return ast.unparse(self.random.choice(self.pool.expressions))
        if kind == 3:
            return self.random.choice(("x", "i", "n", "tile", "x_gm", "out", "a", "b", "total"))
        text = self.random.choice(EXPRESSIONS)
        while "{e}" in text:
            text = text.replace("{e}", f"({self.value(depth + 1)})", 1)
        return text.replace("{{", "{").replace("}}", "}")

    def parsed(self, text, mode):
        try:
            return ast.parse(text, mode=mode)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    def expression(self):
        while True:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = self.parsed(self.value(), "eval")
            if tree:
                return tree.body

    def statement(self, inner=None):
        while True:
            if self.random.random() < 0.4:
                return copy.deepcopy(self.random.choice(self.pool.statements))
            text = self.random.choice(STATEMENTS)
            while "{e}" in text:
                text = text.replace("{e}", f"({self.value(2)})", 1)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = self.parsed(text.replace("{s}", "pass"), "exec")
            if tree is None:
                continue
            for node in ast.walk(tree):
                for field in ("body", "orelse"):
                    statements = getattr(node, field, None)
                    if isinstance(statements, list) and len(statements) >= 1 and isinstance(statements[0], ast.Pass):
                        statements[0] = inner or copy.deepcopy(self.random.choice(self.pool.statements))
            return tree.body[0]

    def places(self, function):
        """Where expressions are: (node, field, index or None)."""
        for statement in function.body:
            for node in ast.walk(statement):
                for field, content in ast.iter_fields(node):
                    items = enumerate(content) if isinstance(content, list) else [(None, content)]
                    for index, item in items:
                        if isinstance(item, ast.expr) and isinstance(getattr(item, "ctx", None), ast.Load | None):
                            yield node, field, index

    def replace_expression(self, function):
        places = list(self.places(function))
        if not places:
            return
        node, field, index = self.random.choice(places)
        if isinstance(node, ast.JoinedStr | ast.FormattedValue):
            return
        content = getattr(node, field)
        old = content if index is None else content[index]
        new = self.expression()
        if self.random.random() < 0.3:  # keep the old one inside of the new one
            new = ast.BinOp(old, self.random.choice((ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.LShift))(), new)
        if index is None:
            setattr(node, field, new)
        else:
            content[index] = new

    def edit_statements(self, function):
        lists = [
            content
            for node in ast.walk(function)
            for field in ("body", "orelse")
            if isinstance(content := getattr(node, field, None), list) and content
        ]
        body = self.random.choice(lists)
        at = self.random.randrange(len(body))
        kind = self.random.randrange(6)
        if kind == 0 and len(body) > 1:
            del body[at]
        elif kind == 1:
            body.insert(at, copy.deepcopy(self.random.choice(body)))
        elif kind == 2:
            other = self.random.randrange(len(body))
            body[at], body[other] = body[other], body[at]
        elif kind == 3:
            body[at] = self.statement(body[at])
        else:
            body.insert(at, self.statement())

    def call_api(self, function):
        """A call of any name of the language with random arguments."""
        arguments = [self.expression() for _ in range(self.random.randrange(7))]
        names = [
            *self.pool.names,
            "x_gm.set_global_buffer",
            "tile.set_value",
            "tile.reinterpret_cast",
            "pipe.init_buffer",
            "queue.alloc_tensor",
        ]
        call = ast.Call(ast.parse(self.random.choice(names), mode="eval").body, arguments, [])
        function.body.insert(self.random.randrange(len(function.body) + 1), ast.Expr(call))

    def edit_signature(self, function):
        parameters = function.args.args
        if not parameters:
            return
        parameter = self.random.choice(parameters)
        annotations = [
            "asc.GlobalAddress",
            "int",
            "float",
            "asc.ConstExpr",
            "asc.ConstExpr[int]",
            "asc.int16",
            "asc.float16",
            "bool",
            "None",
        ]
        parameter.annotation = ast.parse(self.random.choice(annotations), mode="eval").body

    def edit_text(self, text):
        """Changes that no syntax tree has: characters, long lines, odd whitespace."""
        first = text.index("def ")
        at = self.random.randrange(first, len(text))
        kind = self.random.randrange(6)
        if kind == 0:
            return text[:at] + self.random.choice("()[]{}:,.=+-*/%<>!@#'\"\\\t\x0c é中\u2028\U0001d518") + text[at:]
        if kind == 1:
            return text[:at] + text[at + self.random.randrange(1, 20) :]
        if kind == 2:
            depth = self.random.choice((20, 90, 150, 1000))
            return text[:at] + "(" * depth + "1" + ")" * depth + text[at:]
        if kind == 3:
            return text[:at] + " + ".join(["1"] * self.random.choice((50, 3000))) + text[at:]
        if kind == 4:
            return text.replace("    ", "\t")
        return text.replace("\n", "  # é中\n")


# ---------------------------------------------------------------- one program


def _arguments(kernel, rng, mocks):
    """Arguments that fit the annotations more often than not."""
    import asc
    import numpy as np
    from asc.runtime.jit import MockTensor

    types = (np.float32, np.float16, np.int32, np.int16, np.uint8, np.int64, np.float64, np.uint32, np.int8, np.bool_)
    function = kernel.fn
    code = function.__code__
    values = {}
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        annotation = function.__annotations__.get(name)
        dtype = rng.choice(types[:3] if rng.random() < 0.8 else types)
        if annotation is asc.GlobalAddress or (annotation is None and rng.random() < 0.5):
            values[name] = MockTensor(getattr(asc, np.dtype(dtype).name, asc.float32)) if mocks else np.ones(4096, dtype)
        elif annotation is float:
            values[name] = rng.choice((0.5, -1.0, 1e30))
        else:
            values[name] = rng.choice((1, 8, 64, 64, 256, 1000, 2048, 0, -1, 2**31))
    return values


def _check(error, filename, lines, in_kernel=True):
    """What is wrong with an error, or None."""
    from pyasc._core import codes

    known = {code for code, _, _ in codes()}
    text = str(error)
    error.to_json()
    for d in error.diagnostics:
        if d.code not in known:
            return f"no such code: {d.code}"
        if not d.message:
            return f"{d.code} without a message"
        for span in (d.span, *(note.span for note in d.notes)):
            if span.file == filename and not 1 <= span.line <= span.end_line <= len(lines):
                return f"{d.code}: lines {span.line} to {span.end_line} of {len(lines)}"
            if span.file == filename and span.line == span.end_line and span.column > span.end_column:
                return f"{d.code}: columns {span.column} to {span.end_column}"
        if in_kernel and d.code[0] in "LT" and not d.span.file:
            return f"{d.code} without a place"
    return None if error.diagnostics[0].code in text else "the text lacks the code"


def run_program(text, seed):
    """Compiles and launches the kernels of a program. Returns (outcome, what is wrong or None): the outcome is an error code, "ran", or
    "python" for text that Python refuses itself."""
    from asc.runtime.jit import JITFunction
    from pyasc.errors import PyascError

    rng = random.Random(seed)
    filename = f"<fuzz {seed}>"
    lines = text.splitlines(True)
    linecache.cache[filename] = (len(text), None, lines, filename)
    scope = {"__name__": "fuzzed"}
    outcome = "python"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(text, filename, "exec"), scope)
        except PyascError as error:
            return error.code, _check(error, filename, lines, in_kernel=False)
        except Exception:
            return outcome, None  # Python's own refusal
        for kernel in [v for v in scope.values() if isinstance(v, JITFunction)][:3]:
            kernel = kernel.options(always_compile=True, max_cycles=200_000)
            try:
                kernel.compile(**_arguments(kernel, rng, mocks=True))
                kernel[rng.choice((1, 1, 2, 3))](**_arguments(kernel, rng, mocks=False))
                outcome = "ran"
            except PyascError as error:
                outcome = error.code
                if wrong := _check(error, filename, lines):
                    return outcome, wrong
            except Exception as error:
                return "exception", f"{type(error).__name__}: {error}"
    del linecache.cache[filename]
    return outcome, None


def run_here(seed, numbers, on_start=None, on_end=None):
    """Runs programs in this process; returns how often each outcome came, and the findings as (number, text, what is wrong)."""
    pool = Pool(corpus())
    outcomes, findings = Counter(), []
    for number in numbers:
        text = Mutator(pool, f"{seed}/{number}").program()
        if on_start:
            on_start(number, text)
        outcome, wrong = run_program(text, number)
        outcomes[outcome] += 1
        if wrong:
            findings.append((number, text, wrong))
        if on_end:
            on_end(number, outcome, wrong)
    return outcomes, findings


# ---------------------------------------------------------------- many programs, in child processes


def _child(seed, first, last, current):
    import faulthandler
    import resource
    import signal

    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    out = sys.stdout
    sys.stdout = open("/dev/null", "w")  # what kernels print

    def start(number, text):
        Path(current).write_text(text)
        signal.alarm(SECONDS)  # ends the process even while the compiler runs

    def look(frame, event, argument):
        if not frame.f_code.co_filename.startswith("<fuzz "):
            return None
        repr(dict(frame.f_locals))
        return look

    sys.breakpointhook = lambda *arguments, **named: sys.settrace(look)  # a debugger that steps to the end

    def end(number, outcome, wrong):
        sys.settrace(None)
        signal.alarm(0)
        print(json.dumps([number, outcome, wrong]), file=out, flush=True)

    run_here(seed, range(first, last), start, end)


def run(seed, programs, keep, first=0, seconds=float("inf")):
    """Runs programs in child processes; returns outcomes and findings (number, what is wrong), whose texts are in `keep`."""
    keep = Path(keep)
    keep.mkdir(parents=True, exist_ok=True)
    outcomes, findings = Counter(), []
    number, end, deadline = first, first + programs, time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        current = Path(folder) / "current.py"

        def found(number, wrong):
            findings.append((number, wrong))
            (keep / f"{seed}-{number}.py").write_text(f"# {wrong!r}\n{current.read_text()}")
            print(f"seed {seed} program {number}: {wrong}", flush=True)

        while number < end and time.monotonic() < deadline and len(findings) < 100:
            command = [sys.executable, __file__, "--child", str(number), str(min(end, number + 500)), str(current), "--seed", str(seed)]
            child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for line in child.stdout:
                number, outcome, wrong = json.loads(line)
                outcomes[outcome] += 1
                if wrong:
                    found(number, wrong)
                number += 1
            errors = child.stderr.read()
            if child.wait() != 0:
                hang = child.returncode == -14
                found(number, f"more than {SECONDS} s" if hang else f"exit code {child.returncode}: {errors[-2000:]}")
                outcomes["hang" if hang else "crash"] += 1
                number += 1
    return outcomes, findings


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start no new batch after so long")
    parser.add_argument("--keep", default="build/fuzz", help="folder for findings")
    parser.add_argument("--show", type=int, metavar="N", help="print program number N and end")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        first, last, current = arguments.child
        return _child(arguments.seed, int(first), int(last), current)
    if arguments.show is not None:
        return print(Mutator(Pool(corpus()), f"{arguments.seed}/{arguments.show}").program(), end="")
    start = time.monotonic()
    outcomes, findings = run(arguments.seed, arguments.programs, arguments.keep, arguments.first, arguments.seconds)
    total = sum(outcomes.values())
    print(f"{total} programs in {time.monotonic() - start:.0f} s, {len(findings)} findings; outcomes:")
    print(", ".join(f"{outcome} {count}" for outcome, count in outcomes.most_common()))
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
