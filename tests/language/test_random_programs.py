# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of assignments, branches and loops, with break, continue, return and else, comprehensions, := and functions inside of the
function: the kernel computes what CPython computes."""

import random

import numpy as np
import pytest
from support.python_kernel import Results, kernel_of, python_of, run, same_as_python
from support.terminal import steps

NAMES = ["a", "b", "c", "d"]


class Program:
    """Writes a program over four int variables that are always set and stay small."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.loops = 0
        self.functions = 0
        self.lines = ["c = 1", "d = a - b"]
        self.function()
        self.block(0, 6)
        self.lines += [f"g.set_value({i}, {name})" for i, name in enumerate(NAMES)]

    def operand(self):
        return self.random.choice([*NAMES, str(self.random.randint(-9, 9))])

    def walrus(self, value):
        """In the function, := would make a variable of its own."""
        return f"{self.random.choice(NAMES)} := {value} % 50" if self.functions else f"{value} % 50"

    def condition(self):
        compared = f"{self.operand()} {self.random.choice(['<', '<=', '==', '!=', '>', '>='])} {self.random.choice(NAMES)}"
        kind = self.random.randrange(8)
        if kind == 0:
            return f"{compared} and {self.condition()}"
        if kind == 3:
            return f"{self.random.choice(NAMES)} {self.random.choice(['in', 'not in'])} ({self.operand()}, 2, {self.operand()})"
        if kind == 4:
            quantifier, bound = self.random.choice(["any", "all"]), self.random.choice(["2", "3", "2 if True else 1"])
            return f"{quantifier}({self.operand()} < {self.random.choice(NAMES)} + i for i in range({bound}))"
        if kind == 5:
            return f"({self.walrus(self.operand())}) > {self.operand()}"
        if kind == 1:
            return f"{compared} or not {self.random.choice(NAMES)}"
        if kind == 2:
            return f"-5 < {self.random.choice(NAMES)} <= {self.operand()}"
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
            return f"f{self.random.randint(1, self.functions)}({x}, q={y})" if self.functions else x
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
        self.lines += [f"def {name}(p, *rest, q=2):", f"    x = (p + {self.expression()}) % 600"]
        kind = self.random.randrange(3)
        if kind == 0:
            self.lines += [f"    if p < q or {self.condition()}:", "        return (x - q) % 70"]
        elif kind == 1:
            self.lines += ["    for i in range(p % 4):", f"        if i + x > {self.operand()}:", "            return i", "        x += i"]
        self.lines += ["    return x + len(rest)"]
        self.functions += 1

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
            kind = self.random.randrange(11)
            inner = self.random.randint(1, 3)
            if loop and self.random.random() < 0.15:
                self.leave(indent, loop)
            if kind < 5 or depth == 3:
                self.lines.append(f"{indent}{self.random.choice(NAMES)} = {self.expression()}")
            elif kind == 5:
                x, y = self.random.sample(NAMES, 2)
                self.lines.append(f"{indent}{x}, {y} = {y}, {self.expression()}")
            elif kind == 6:
                self.lines.append(f"{indent}{self.random.choice(NAMES)} += {self.random.randint(-4, 4)}")
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
                bounds = self.random.choice(
                    ["3", "a % 5", "b % 4, a % 4", "4, -2, -2", f"a % 6, b % 3, {self.random.choice([-1, 2])}", "2, 2"]
                )
                name = self.random.choice(["i", "j", "d"])
                if self.random.random() < 0.2:
                    self.lines.append(f"{indent}for {name} in asc.static_range({self.random.choice(['3', '4, -2, -2', '1'])}):")
                else:
                    self.lines.append(f"{indent}for {name} in {self.random.choice(['range', 'asc.range'])}({bounds}):")
                self.block(depth + 1, inner, "for")
                self.otherwise(depth, inner, loop)
            elif kind == 9:
                self.loops += 1
                counter = f"n{self.loops}"
                self.lines.append(f"{indent}{counter} = {self.random.choice(['3', 'a % 5', 'c % 4'])}")
                self.lines.append(f"{indent}while ({counter} := {counter} - 1) >= 0:")
                self.block(depth + 1, inner, "for")
                self.otherwise(depth, inner, loop)
            else:
                self.loops += 1
                counter = f"n{self.loops}"
                self.lines.append(f"{indent}{counter} = {self.random.choice(['3', 'a % 5', 'c % 4'])}")
                self.lines.append(f"{indent}while {counter} > 0:")
                self.block(depth + 1, inner, "while")
                self.lines.append(f"{indent}    {counter} -= 1")
                self.otherwise(depth, inner, loop)

    def otherwise(self, depth, count, loop):
        """The else of a loop, sometimes."""
        if self.random.random() < 0.2:
            self.lines.append(f"{'    ' * depth}else:")
            self.block(depth + 1, count, loop)


def check(seed):
    body = "\n".join(Program(seed).lines)
    same_as_python(body, (0, 0), (1, -3), (-7, 12), (5, 5), parameters="a: int, b: int")


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
    kernel, function = kernel_of(body, "a: int, b: int"), python_of(body, "a: int, b: int")
    for args in [(1, -3), (5, 5)]:
        expected = steps(lambda: function(Results(np.int32), *args), "<kernel text")  # noqa: B023
        actual = steps(lambda: run(kernel, *args), "<kernel text")  # noqa: B023
        assert len(expected) > 6
        for (name, line, python), (_, our_line, ours) in zip(expected, actual, strict=True):
            assert our_line == line + 3  # the kernel has three lines more before the body
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
