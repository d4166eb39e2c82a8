# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comprehensions and generators: built while compiling, of elements that may be run-time values."""

import asc
import pytest
from support.python_kernel import kernel_of, refused, run, same_as_python

N = [(n,) for n in (-3, 0, 1, 2, 7)]


def stored(*expressions):
    """A body that stores each of the expressions, a sequence of numbers or a number."""
    lines = ["k = 0"]
    for expression in expressions:
        lines += [f"e = {expression}", "for v in e if isinstance(e, (list, tuple)) else (e,):", "    g.set_value(k, v)", "    k += 1"]
    return "\n".join(lines)


FORMS = {
    "list": "[n * i for i in range(4)]",
    "static range": "[n - i for i in asc.static_range(2, 6, 3)]",
    "of a sequence": "[x + n for x in (3, n, 5)]",
    "two clauses": "[i * 10 + j * n for i in range(3) for j in range(i)]",
    "condition": "[i + n for i in range(9) if i % 2 if i > 2]",
    "conditions of both clauses": "[i - j for i in range(5) if i != 2 for j in (n, i) if i & 1]",
    "unpacked": "[a * n + b for a, b in zip((1, 2, 3), (4, 5, 6))]",
    "starred": "[len(rest) * n + first for first, *rest in [(1, 2, 3), (4,)]]",
    "enumerate": "[i * v for i, v in enumerate([n, 3, n + 1])]",
    "nested": "[sum([i * j + n for j in range(3)]) for i in range(3)]",
    "same name": "[x for x in [x * n for x in (1, 2)]]",
    "conditional element": "[i if n > i else -i for i in range(4)]",
    "tuple": "tuple(i ^ n for i in range(3))",
    "sum": "sum(n + i for i in range(5))",
    "sum with a start": "sum((i for i in (n, 2)), n)",
    "min and max": "[min(i * n for i in (1, 2, 3)), max(i * n for i in (1, 2, 3))]",
    "sorted": "sorted(i % 3 for i in range(5))",
    "dict": "[v for v in {i: n + i for i in range(4) if i}.values()]",
    "dict of pairs": "list(dict((i, n * i) for i in (5, 6)).values())",
    "set": "sorted({i % 3 for i in range(7)})",
    "frozenset": "len(frozenset(i // 2 for i in range(7)))",
    "join": "len(','.join(str(i) for i in range(12)))",
    "of nothing": "[n for i in ()]",
    "any": "[any(i == n for i in (1, 2, 7)), any(i > 3 for i in range(3)), any(n for i in ())]",
    "all": "[all(i > n for i in (1, 2, 7)), all(i < 3 for i in range(3)), all(n for i in ())]",
    "any of numbers": "any(n // 2 for _ in range(2))",
    "any and static": "[any((n > 0, True)[i] for i in range(2)), all((n > 0, False)[i] for i in range(2))]",
}


@pytest.mark.parametrize("expression", FORMS.values(), ids=FORMS.keys())
def test_forms(expression):
    same_as_python(stored(expression), *N, parameters="n: int")


def test_variables_are_local_to_the_comprehension():
    same_as_python(
        """
        i = n
        a = [i for i in range(i_end)]
        g.set_value(0, i)
        b = [[i for i in range(i)] for i in range(3)]
        g.set_value(1, i + len(b[2]) + a[-1])
        if n > 0:
            c = [i * 2 for i in range(2)]
            i = c[1] + n
        g.set_value(2, i)
        for j in range(3):
            i += sum([j * k for k in range(4)])
        g.set_value(3, i)
        """.replace("i_end", "4"),
        *N,
        parameters="n: int",
    )


def test_any_and_all_evaluate_what_they_need():
    @asc.jit
    def seen(g, index, value):
        g.set_value(index, value)
        return value

    body = """
        g.set_value(10, any(seen(g, i, n - i) for i in range(4)))
        g.set_value(11, all(seen(g, 4 + i, n - i) for i in range(4)))
        g.set_value(12, any(seen(g, 12, i) == 2 or 5 // (3 - i) == n for i in range(4)))
        """

    def seen_by_python(g, index, value):
        g.set_value(index, value)
        return value

    kernel = kernel_of(body, "n: int", seen=seen)
    for (n,) in N:
        expected = {}

        class Expected:
            set_value = staticmethod(expected.__setitem__)

        exec("\n".join(line.strip() for line in body.splitlines()), {"g": Expected, "seen": seen_by_python, "n": n})
        got = run(kernel, n)
        assert {i: v for i, v in enumerate(got.tolist()) if v != 99} == {i: int(v) for i, v in expected.items()}


def test_lists_made_by_comprehensions_can_change():
    body = "l = [i for i in range(3)]\nl.append(n)\nl[0] = 5\nfor i, v in enumerate(l):\n    g.set_value(i, v)"
    same_as_python(body, *N, parameters="n: int")


REFUSED = {
    "run-time condition": ("x = [i for i in range(3) if i > n]  # here", "T109"),
    "run-time range": ("x = [i for i in range(n)]  # here", "T109"),
    "run-time set": ("x = {i + n for i in range(3)}  # here", "T109"),
    "run-time key": ("x = {n: i for i in range(3)}  # here", "T109"),
    "generator kept": ("x = (i for i in range(3))  # here", "L001"),
    "generator in a loop": ("for x in (i for i in range(3)):  # here\n    pass", "L001"),
    "own variable too early": ("x = [i for j in range(2) for i in range(i)]  # here", "L101"),
    "variable afterwards": ("x = [zzz for zzz in range(2)]\ny = zzz  # here", "L102"),
    "endless": ("x = [i for i in range(10 ** 9)]  # here", "L202"),
    "too many": ("x = [0 for i in range(10 ** 4) for j in range(10 ** 4)]  # here", "L202"),
    "number": ("x = [i for i in n]  # here", "T106"),
    "min of nothing": ("x = min(i + n for i in ())  # here", "L201"),
}


@pytest.mark.parametrize("body, code", REFUSED.values(), ids=REFUSED.keys())
def test_refused(body, code):
    assert refused(body, code, 3, parameters="n: int").message
