# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of assignments, branches and loops, with break, continue, return and else, comprehensions, := and functions inside of the
function, with blocks, unpacking, any number of arguments and print: the kernel computes and prints what CPython does, with arguments of the
launch, with arguments known while compiling, and with constants of a type, which are folded. For programs over uint8 and float32, CPython
has NumPy's numbers. 10,000 programs are 10,000 different trees, with 190 pairs of a node and its child."""

import ast
import random
from contextlib import nullcontext

import numpy as np
import pytest
from support.python_kernel import Results, kernel_of, python_of, run, same_as_python
from support.terminal import steps

NAMES = ["a", "b", "c", "d"]
MANAGER = """
class Last:
    @asc.jit
    def __init__(self, g, value):
        self.g, self.value = g, value

    @asc.jit
    def __enter__(self):
        return self.value % 60

    @asc.jit
    def __exit__(self, kind, value, trace):
        self.g.set_value(10, self.value)

"""


class Program:
    """Writes a program over four int variables that are always set and stay small."""

    dtype = "int32"
    targets = ("i", "j", "d")  # of loops
    low, steps = -5, (-4, -3, -2, -1, 0, 1, 2, 3, 4)
    formats = ("{{{}}}", "{{{}:5d}}", "{{{}:+d}}", "{{{}:<6d}}", "{{{} & 255:x}}")

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.loops = 0
        self.functions = 0
        self.lines = [f"c = {self.number(1)}", "d = a - b"]
        self.function()
        self.block(0, 6)
        self.lines += [f"g.set_value({i}, {name})" for i, name in enumerate(NAMES)]

    def number(self, value):
        return str(value)

    def operand(self):
        return self.random.choice([*NAMES, self.number(self.random.randint(-9, 9))])

    def member(self):
        """Of a sequence after `in`."""
        return self.operand()

    def count(self):
        """Of the rounds of a loop."""
        return self.random.choice(["3", "a % 5", "c % 4"])

    def bounds(self):
        return self.random.choice(
            ["3", "a % 5", "b % 4, a % 4", "4, -2, -2", f"a % 6, b % 3, {self.random.choice([-1, 2])}", "2, 2"],
        )

    def walrus(self, value):
        """In the function, := would make a variable of its own."""
        return f"{self.random.choice(NAMES)} := {value} % 50" if self.functions else f"{value} % 50"

    def condition(self):
        compared = f"{self.operand()} {self.random.choice(['<', '<=', '==', '!=', '>', '>='])} {self.random.choice(NAMES)}"
        kind = self.random.randrange(8)
        if kind == 0:
            return f"{compared} and {self.condition()}"
        if kind == 3:
            return f"{self.random.choice(NAMES)} {self.random.choice(['in', 'not in'])} ({self.member()}, 2, {self.member()})"
        if kind == 4:
            quantifier, bound = self.random.choice(["any", "all"]), self.random.choice(["2", "3", "2 if True else 1"])
            return f"{quantifier}({self.operand()} < {self.random.choice(NAMES)} + i for i in range({bound}))"
        if kind == 5:
            return f"({self.walrus(self.operand())}) > {self.operand()}"
        if kind == 1:
            return f"{compared} or not {self.random.choice(NAMES)}"
        if kind == 2:
            return f"{self.low} < {self.random.choice(NAMES)} <= {self.operand()}"
        return compared

    def expression(self):
        x, y = self.random.choice(NAMES), self.operand()
        kind = self.random.randrange(14)
        if kind == 5:
            return f"sum(({x} + i) % 7 for i in range(4) if i != {self.random.randrange(5)})"
        if kind == 6:
            return f"[v % 50 + {y} for v in ({x}, 3, {self.operand()})][{self.random.randrange(3)}]"
        if kind == 7:
            return f"max({{i: {x} * i % 90 for i in range(3)}}.values()) - ({self.walrus(y)})"
        if kind == 8:
            return f"(lambda p, q={x}: p - (q if p > {self.random.choice(NAMES)} else -q))({y}) % 800"
        if kind == 9:
            arguments = self.random.choice([f"q={y}", f"*({y}, 2), more={y}", f"**{{'q': {y}, 'more': {x}}}", f"{y}, *[4], **dict(z=1)"])
            return f"f{self.random.randint(1, self.functions)}({x}, {arguments})" if self.functions else x
        if kind == 0:
            return f"({x} if {self.condition()} else {y}) % 89"
        if kind == 1:
            return f"{x} // 3 - {y} % 7"
        if kind == 2:
            return f"max({x}, {y}) ^ 5"
        if kind == 3:
            return f"({x} & 31) << 2"
        if kind == 4:
            return f"abs({x} - {y}) % 500"
        return f"({x} {self.random.choice('+-*')} {y}) % 997"

    def function(self):
        """A function that reads the variables around it, and may leave a loop."""
        name = f"f{self.functions + 1}"
        self.lines += [f"def {name}(p, *rest, q=2, **more):", f"    x = {self.first()}"]
        kind = self.random.randrange(3)
        if kind == 0:
            self.lines += [f"    if p < q or {self.condition()}:", "        return (x - q) % 70"]
        elif kind == 1:
            self.lines += self.inner_loop()
        else:
            self.lines += [f"    {self.show('x')}"]
        self.lines += ["    return x + len(rest) + sum(more.values()) % 9"]
        self.functions += 1

    def first(self):
        return f"(p + {self.expression()}) % 600"

    def inner_loop(self):
        return ["    for i in range(p % 4):", f"        if i + x > {self.operand()}:", "            return i", "        x += i"]

    def show(self, name):
        """Text in a format that Python and C have in common."""
        values = "|".join(self.random.choice(self.formats).format(n) for n in (name, self.random.choice(NAMES)))
        return f"print(f'{values}', {self.random.choice(['sep=0 or None', repr(name), repr(name) + ', sep=str()', 'end=chr(59)'])})"

    def leave(self, indent, loop):
        """A statement that leaves, under a condition."""
        ways = ["return"] + (["break", "continue"] if loop == "for" else ["break"] if loop else [])
        self.lines.append(f"{indent}if {self.condition()}:")
        way = self.random.choice(ways)
        if way == "return":
            self.lines.append(f"{indent}    g.set_value(9, {self.operand()})")
        if self.random.random() < 0.3:
            self.lines.append(f"{indent}    {self.random.choice(NAMES)} = {self.expression()}")
        self.lines.append(f"{indent}    {way}")

    def block(self, depth, count, loop=None):
        indent = "    " * depth
        for _ in range(count):
            kind = self.random.randrange(15)
            inner = self.random.randint(1, 3)
            if loop and self.random.random() < 0.15:
                self.leave(indent, loop)
            if kind < 5 or depth == 3:
                self.lines.append(f"{indent}{self.random.choice(NAMES)} = {self.expression()}")
            elif kind == 5:
                x, y = self.random.sample(NAMES, 2)
                self.lines.append(f"{indent}{x}, {y} = {y}, {self.expression()}")
            elif kind == 10:
                x, y = self.random.sample(NAMES, 2)
                value = self.random.choice([f"nullcontext({self.expression()})", f"Last(g, {self.expression()})"])
                second = f", nullcontext({y}) as {y}" if self.random.random() < 0.3 else ""
                self.lines.append(f"{indent}with {value} as {x}{second}:")
                self.block(depth + 1, inner, loop)
            elif kind == 11:
                x, y = self.random.sample(NAMES, 2)
                target = self.random.choice([f"{x}, *rest, {y}", f"({x}, (*rest, {y}))", f"*rest, {x}, {y}"])
                last = f"{self.number(3)}, {self.expression()}"
                last = f"({last})" if "(*" in target else last
                self.lines.append(f"{indent}{target} = {self.operand()}, {last}")
            elif kind == 12:
                x, y = self.random.sample(NAMES, 2)
                self.lines.append(f"{indent}{x}, {y} = ({y}, {x}) if {self.condition()} else ({self.operand()}, {y})")
            elif kind == 13:
                self.lines.append(f"{indent}{self.show(self.random.choice(NAMES))}")
            elif kind == 6:
                self.lines.append(f"{indent}{self.random.choice(NAMES)} += {self.random.choice(self.steps)}")
            elif kind == 7:
                self.lines.append(f"{indent}if {self.condition()}:")
                self.block(depth + 1, inner, loop)
                if self.random.random() < 0.4:
                    self.lines.append(f"{indent}elif {self.condition()}:")
                    self.block(depth + 1, inner, loop)
                if self.random.random() < 0.6:
                    self.lines.append(f"{indent}else:")
                    self.block(depth + 1, inner, loop)
            elif kind == 8:
                bounds, name = self.bounds(), self.random.choice(self.targets)
                if self.random.random() < 0.2:
                    self.lines.append(f"{indent}for {name} in asc.static_range({self.random.choice(['3', '4, -2, -2', '1'])}):")
                else:
                    self.lines.append(f"{indent}for {name} in {self.random.choice(['range', 'asc.range'])}({bounds}):")
                self.block(depth + 1, inner, "for")
                self.otherwise(depth, inner, loop)
            elif kind == 9:
                self.loops += 1
                counter = f"n{self.loops}"
                self.lines.append(f"{indent}{counter} = {self.count()}")
                self.lines.append(f"{indent}while ({counter} := {counter} - 1) >= 0:")
                self.block(depth + 1, inner, "for")
                self.otherwise(depth, inner, loop)
            else:
                self.loops += 1
                counter = f"n{self.loops}"
                self.lines.append(f"{indent}{counter} = {self.count()}")
                self.lines.append(f"{indent}while {counter} > 0:")
                self.block(depth + 1, inner, "while")
                self.lines.append(f"{indent}    {counter} -= 1")
                self.otherwise(depth, inner, loop)

    def otherwise(self, depth, count, loop):
        """The else of a loop, sometimes."""
        if self.random.random() < 0.2:
            self.lines.append(f"{'    ' * depth}else:")
            self.block(depth + 1, count, loop)


class TypedProgram(Program):
    """The same over four numbers that have and keep a dtype."""

    targets = ("i", "j")  # have a type of their own
    low, steps = 1, (1, 2, 3)

    def number(self, value):
        return f"asc.number({self.random.choice(self.literals)}, asc.{self.dtype})"

    def count(self):
        return self.random.choice(["3", f"(2 if {self.random.choice(NAMES)} < {self.operand()} else 4)"])

    def bounds(self):
        return self.random.choice([self.count(), f"{self.count()}, -2, -2", "2, 2"])

    def first(self):
        return f"p + {self.expression()}"

    def inner_loop(self):
        return [f"    for i in range({self.count()}):", f"        if x > {self.operand()}:", "            return x - p", "        x += 2"]

    def expression(self):
        x, y = self.random.choice(NAMES), self.operand()
        if self.random.random() < 0.5:
            return self.arithmetic(x, y)
        choices = [
            f"({x} if {self.condition()} else {y}) % 89",
            f"{self.random.choice(['max', 'min'])}({x}, {y})",
            f"abs({x} - {y})",
            f"sum(({x} + i) % 7 for i in range(4) if i != {self.random.randrange(5)})",
            f"[v % 50 + {y} for v in ({x}, 3, {self.operand()})][{self.random.randrange(3)}]",
            f"max({{i: {x} * i % 90 for i in range(3)}}.values()) - ({self.walrus(y)})",
            f"(lambda p, q={x}: p - (q if p > {self.random.choice(NAMES)} else -q))({y}) % 97",
        ]
        if self.functions:
            choices += [f"f{self.random.randint(1, self.functions)}({x}, {more})" for more in (f"q={y}", f"*({y}, 2), more={y}")]
        return self.random.choice(choices)


class Bytes(TypedProgram):
    dtype = "uint8"
    formats = ("{{{}}}", "{{{}:4d}}", "{{{}:x}}", "{{{}:04x}}")
    literals = (0, 1, 2, 7, 128, 255)

    def arithmetic(self, x, y):
        forms = [f"{x} {op} {y}" for op in ("+", "-", "*", "&", "|", "^")]
        forms += [f"{x} // ({y} | 1)", f"{x} % ({y} | 2)", f"(~{x} << 3)", f"({x} >> 1) - {y}", f"-{x} // 3", f"200 - {x}"]
        return self.random.choice(forms)


class Floats(TypedProgram):
    dtype = "float32"
    formats = ("{{{}:f}}", "{{{}:.3f}}", "{{{}:9.2f}}", "{{{}:+.1f}}")
    literals, steps = (0, 1, -1.5, 0.1, 3e-5, 1e10), (0.25, -0.1, 3)

    def member(self):
        return self.number(0)  # CPython finds a NaN that is the same object

    def arithmetic(self, x, y):
        forms = [f"({x} {op} {y}) % 97" for op in ("+", "-", "*", "//", "%")]
        return self.random.choice([*forms, f"{x} / ({y} + 0.3)", f"-{x} * 0.7", f"1 - {x} / 3", f"{x} * {y} - {x}"])


ARGUMENTS = {
    "int32": [(0, 0), (1, -3), (-7, 12), (5, 5)],
    "uint8": [(np.uint8(a), np.uint8(b)) for a, b in [(0, 0), (1, 253), (200, 12), (5, 5)]],
    "float32": [(np.float32(a), np.float32(b)) for a, b in [(0, -0.0), (1.1, -3.7), (-7.25, 1e9), (0.1, 0.1)]],
}


def program(seed):
    return [Program, Program, Bytes, Floats][seed % 4](seed)


def check(seed):
    written = program(seed)
    body, dtype, arguments = "\n".join(written.lines), written.dtype, ARGUMENTS[written.dtype]

    def same(body, *calls, parameters=""):
        same_as_python(body, *calls, parameters=parameters, dtype=np.dtype(dtype), before=MANAGER, nullcontext=nullcontext)

    same(body, *arguments, parameters="a, b")
    if dtype == "int32":  # numbers known while compiling are weak, also those of NumPy
        same(body, arguments[seed // 4 % 4], parameters="a: asc.ConstExpr, b: asc.ConstExpr")
    a, b = arguments[(seed // 4 + 1) % 4]
    same(f"a, b = asc.number({a}, asc.{dtype}), asc.number({b}, asc.{dtype})\n{body}")


@pytest.mark.parametrize("seed", range(200))
def test_random_program(seed):
    check(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(200, 10_000, 200))
def test_ten_thousand_random_programs(first):
    for seed in range(first, first + 200):
        check(seed)


def check_steps(seed):
    """A debugger sees the same lines in the same order, and the same values there."""
    body = "breakpoint()\n" + "\n".join(Program(seed).lines)
    names = {"parameters": "a: int, b: int", "before": MANAGER, "nullcontext": nullcontext}
    kernel, function = kernel_of(body, **names), python_of(body, **names)
    for args in [(1, -3), (5, 5)]:
        expected = steps(lambda: function(Results(np.int32), *args), "<kernel text")  # noqa: B023
        actual = steps(lambda: run(kernel, *args), "<kernel text")  # noqa: B023
        assert len(expected) > 6
        for (name, line, python), (_, our_line, ours) in zip(expected, actual, strict=True):
            assert our_line == (line if name.startswith("__") else line + 3)  # the kernel has three lines more before the body
            if isinstance(python, dict):
                assert all(python[n] == ours[n] for n in python.keys() & {*NAMES}), (name, line)
            else:
                assert ours == python, (name, line)


@pytest.mark.parametrize("seed", range(20))
def test_steps_of_a_random_program(seed):
    check_steps(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(20, 1_000, 20))
def test_steps_of_a_thousand_random_programs(first):
    for seed in range(first, first + 20):
        check_steps(seed)


def signature(node):
    return (type(node).__name__, *map(signature, ast.iter_child_nodes(node)))


def shapes(seeds):
    """How many pairs of a node and a child, such as BinOp > Name, the programs have, and how many of their trees differ in the types of
    nodes."""
    pairs, trees = set(), set()
    for seed in seeds:
        tree = ast.parse("def kernel():\n " + "\n ".join(program(seed).lines))
        trees.add(hash(signature(tree)))
        pairs.update((type(node), type(child)) for node in ast.walk(tree) for child in ast.iter_child_nodes(node))
    return len(pairs), len(trees)


def test_shapes_of_the_programs():
    pairs, trees = shapes(range(200))
    assert pairs >= 185 and trees == 200


@pytest.mark.long
def test_shapes_of_ten_thousand_programs():
    """What was measured; it falls when the generator loses something."""
    pairs, trees = shapes(range(10_000))
    assert pairs >= 190 and trees == 10_000
