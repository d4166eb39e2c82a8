# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of assignments, branches and loops, with break, continue, return and else: the kernel computes what CPython computes."""

import random

import pytest
from support.python_kernel import same_as_python

NAMES = ["a", "b", "c", "d"]


class Program:
    """Writes a program over four int variables that are always set and stay small."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.loops = 0
        self.lines = ["c = 1", "d = a - b"]
        self.block(0, 6)
        self.lines += [f"g.set_value({i}, {name})" for i, name in enumerate(NAMES)]

    def operand(self):
        return self.random.choice([*NAMES, str(self.random.randint(-9, 9))])

    def condition(self):
        compared = f"{self.operand()} {self.random.choice(['<', '<=', '==', '!=', '>', '>='])} {self.random.choice(NAMES)}"
        kind = self.random.randrange(5)
        if kind == 0:
            return f"{compared} and {self.condition()}"
        if kind == 1:
            return f"{compared} or not {self.random.choice(NAMES)}"
        if kind == 2:
            return f"-5 < {self.random.choice(NAMES)} <= {self.operand()}"
        return compared

    def expression(self):
        x, y = self.random.choice(NAMES), self.operand()
        kind = self.random.randrange(8)
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
            kind = self.random.randrange(10)
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


@pytest.mark.parametrize("seed", range(200))
def test_random_program(seed):
    body = "\n".join(Program(seed).lines)
    same_as_python(body, (0, 0), (1, -3), (-7, 12), (5, 5), parameters="a: int, b: int")
