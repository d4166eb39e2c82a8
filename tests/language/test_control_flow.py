# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches and loops: what runs, what variables are afterwards, and what cannot be merged."""

import textwrap
import time

import asc
import numpy as np
import pytest
from pyasc.errors import PyascError
from support.python_kernel import define, kernel_of, refused, run, same_as_python

N = [(n,) for n in (-3, 0, 1, 2, 5, 11)]


# ---------------------------------------------------------------- for

BOUNDS = [(0, 5, 1), (2, 9, 3), (5, 0, 1), (0, 0, 1), (9, -4, -1), (9, 2, -3), (-5, 5, 4), (3, 4, 100), (0, 10, -1)]
BODY = """
total = 0
count = 0
for i in range({}):
    total = total * 3 + i
    count += 1
g.set_value(0, total)
g.set_value(1, count)
"""


@pytest.mark.parametrize("bounds", BOUNDS)
def test_range_with_known_bounds(bounds):
    same_as_python(BODY.format(", ".join(map(str, bounds))))


@pytest.mark.parametrize("step", [1, 2, 7, -1, -4])
def test_range_with_run_time_bounds(step):
    same_as_python(BODY.format(f"a, b, {step}"), *[b[:2] for b in BOUNDS], parameters="a: int, b: int")


def test_range_with_run_time_step():
    same_as_python(BODY.format("a, b, s"), *BOUNDS, parameters="a: int, b: int, s: int")


def test_run_time_step_zero_runs_zero_times():
    """The checks find it (tests/runtime/test_checks.py)."""
    kernel = kernel_of(BODY.format("a, b, s"), "a: int, b: int, s: int").options(check=False)
    assert run(kernel, 0, 5, 0)[:2].tolist() == [0, 0]


def test_step_zero_is_refused():
    refused("for i in range(0, 5, 0):  # here\n    pass", "T111")


def test_bounds_of_64_bits():
    body = "count = 0\nfor i in range(a, a + 3):\n    g.set_value(count, i)\n    count += 1\n"
    same_as_python(body, (2**40,), (-(2**40),), parameters="a: int", dtype=np.int64)


def test_known_bounds_near_the_end_of_int32():
    same_as_python("last = 0\nfor i in range(2147483640, 2147483647, 5):\n    last = i\ng.set_value(0, last)")
    same_as_python("last = 0\nfor i in range(-2147483640, -2147483648, -5):\n    last = i\ng.set_value(0, last)")


def test_float_bound_is_refused():
    refused("for i in range(x):  # here\n    pass", "T110", 1.5, parameters="x: float")


def test_loop_variable_after_the_loop():
    same_as_python("for i in range(3, 9, 2):\n    g.set_value(i, 1)\ng.set_value(0, i)")
    same_as_python("for i in range(8, 3, -2):\n    j = i * 2\ng.set_value(0, i)\ng.set_value(1, j)")
    same_as_python("i = 42\nfor i in range(n):\n    g.set_value(1, i)\ng.set_value(0, i)", *N, parameters="n: int")


def test_assigning_the_loop_variable_does_not_change_the_loop():
    same_as_python(
        "k = 0\nfor i in range(n):\n    i = i * 10\n    g.set_value(k, i)\n    k += 1\ng.set_value(20, k)", *N, parameters="n: int"
    )


def test_nested_loops_and_reused_names():
    same_as_python(
        """
        total = 0
        for i in range(n):
            for j in range(i):
                for k in range(j, n, 2):
                    total += i * j - k
            total -= 1
        for i in range(2):
            total += i
        for i in range(n):
            total += 5 * i
        g.set_value(0, total)
        """,
        *N,
        parameters="n: int",
    )


def test_values_swap_in_a_loop():
    same_as_python("a, b = 0, 1\nfor _ in range(n):\n    a, b = b, a + b\ng.set_value(0, a)\ng.set_value(1, b)", *N, parameters="n: int")


def test_tuples_go_round_a_loop():
    same_as_python(
        "state = (0, 1)\nfor i in range(n):\n    state = (state[1], state[0] + i)\ng.set_value(0, state[0])\ng.set_value(1, state[1])",
        *N,
        parameters="n: int",
    )


def test_types_widen_in_a_loop():
    same_as_python("x = 0\nfor i in range(n):\n    x = x + 0.5\ng.set_value(0, x)", *N, parameters="n: int", dtype=np.float32)
    same_as_python(
        "x = 0\ny = 0\nfor i in range(n):\n    y = y + x\n    x = x + 1.5\ng.set_value(0, y)", *N, parameters="n: int", dtype=np.float32
    )


def test_a_long_chain_of_variables_widens():
    count = 150
    lines = [f"x{i} = 0" for i in range(count)] + ["for i in range(n):"]
    lines += [f"    x{i} = x{i - 1}" for i in range(count - 1, 0, -1)] + ["    x0 = x0 + 0.5", f"g.set_value(0, x{count - 1})"]
    same_as_python("\n".join(lines), (0,), (149,), (153,), parameters="n: int", dtype=np.float32)


def test_static_range_is_unrolled():
    same_as_python(
        """
        parts = []
        for i in asc.static_range(1, 8, 3):
            assert i in (1, 4, 7)
            parts.append(n * i)
        for i, part in enumerate(parts):
            g.set_value(i, part)
        g.set_value(5, i)
        """,
        *N,
        parameters="n: int",
    )


def test_sequences_are_unrolled():
    same_as_python(
        """
        k = 0
        for a, b in zip((1, 2, 3), [4, 5, 6]):
            g.set_value(k, a * b + n)
            k += 1
        for x in (n, n + 1):
            g.set_value(k, x)
            k += 1
        """,
        *N,
        parameters="n: int",
    )


def test_break_and_continue_in_unrolled_loops():
    same_as_python(
        """
        for i in asc.static_range(10):
            if i == 2:
                continue
            if i == 5:
                break
            g.set_value(i, i * n)
        else:
            g.set_value(20, 1)
        for i in asc.static_range(2):
            pass
        else:
            g.set_value(21, 1)
        """,
        *N,
        parameters="n: int",
    )


def test_else_of_a_loop():
    same_as_python(
        """
            for i in range(n):
                g.set_value(1, i)
            else:
                g.set_value(0, 7)
            while n > 100:
                n = n - 1
            else:
                g.set_value(2, n)
            """,
        *N,
        parameters="n: int",
    )


LEAVING = {
    "break": """
        for i in range(10):
            if i == n:
                break
            g.set_value(i, i)
        g.set_value(20, i)
        """,
    "break keeps what was assigned before it": """
        x = 100
        for i in range(10):
            if i * i > n:
                x = i
                break
            x = x + 1
        g.set_value(0, x)
        """,
    "continue": """
        total = 0
        for i in range(8):
            if i % 2 == n % 2:
                continue
            total = total + i
        g.set_value(0, total)
        """,
    "both, nested": """
        total = 0
        for i in range(6):
            for j in range(6):
                if j == n:
                    break
                if (i + j) % 3 == 0:
                    continue
                total = total + i * 10 + j
            if i == n + 2:
                break
            total = total + 1000
        g.set_value(0, total)
        """,
    "else of a loop that may be left": """
        for i in range(5):
            if i == n:
                g.set_value(0, 1)
                break
        else:
            g.set_value(1, 1)
        k = 0
        while k < 3:
            if k == n:
                break
            k = k + 1
        else:
            g.set_value(2, k)
        g.set_value(3, k)
        """,
    "while True": """
        k = n * n
        while True:
            k = k * 2 + 1
            last = k
            if k > 50:
                break
            if k % 2 == 0:
                continue
            g.set_value(1, k)
        g.set_value(0, last)
        """,
    "the test is not asked again after break": """
        k = 4
        while 12 // k > 0:
            k = k - 1
            if k == 0:
                break
        g.set_value(0, k)
        """,
    "the test of while True is only what the body leaves": """
        k = 2
        while True:
            k = k - 1
            if k < n:
                break
            g.set_value(0, k)
            if k < -9:
                break
        """,
    "return": """
        for i in range(10):
            g.set_value(i, 5)
            if i == n:
                return
        g.set_value(20, 7)
        """,
    "returns in branches of branches": """
        if n > 0:
            if n == 2:
                g.set_value(0, 1)
                return
            x = 5
        else:
            x = 6
        if n > 1:
            if n > 10:
                return
            else:
                x = x + n
        g.set_value(1, x)
        """,
    "return from two loops": """
        for i in range(3):
            for j in range(3):
                g.set_value(i * 3 + j, i + j)
                if i + j == n:
                    g.set_value(30, j)
                    return
            g.set_value(10 + i, 1)
        g.set_value(20, 7)
        """,
    "return from an unrolled loop": """
        for i in asc.static_range(4):
            if i == n:
                return
            g.set_value(i, i + 1)
        g.set_value(20, 7)
        """,
    "break from an unrolled loop, with else": """
        x = 0
        for i in asc.static_range(4):
            if i == n:
                break
            x = x + i
            if x > 2:
                continue
            g.set_value(i, x)
        else:
            g.set_value(19, 1)
        g.set_value(20, x)
        """,
    "a loop in a branch": """
        if n > 0:
            for i in range(9):
                if i == n:
                    break
            g.set_value(0, i)
        g.set_value(1, 1)
        """,
    "a variable that only the paths that stay have": """
        for i in range(6):
            if i > 2:
                if i == n:
                    continue
                x = i
            else:
                x = 10 * i
            g.set_value(i, x)
        """,
    "counting down, and a step": """
        for i in range(20, 0, -3):
            if i < n:
                break
            g.set_value(i, i)
        """,
    "the bounds of the range are taken once": """
        m = n + 3
        for i in range(m):
            m = 0
            if i == 4:
                break
            g.set_value(i, 1)
        """,
}


@pytest.mark.parametrize("body", LEAVING.values(), ids=LEAVING)
def test_leaving_loops(body):
    same_as_python(body, *N, parameters="n: int")


def test_return_of_a_value_from_a_loop():
    @asc.jit
    def first_above(limit, n):
        for i in range(n):
            if i * i > limit:
                return i
        return -1

    @asc.jit
    def widened(n):
        while n > 0:
            if n == 3:
                return 0.5
            n = n - 2
        return n

    @asc.jit
    def in_the_first_round(n):
        for i in (1, 2):
            if n > i:
                return n + i
            else:
                return 40
        return 50

    body = """
        g.set_value(3, in_the_first_round(n))
        g.set_value(0, first_above(n, 20))
        g.set_value(1, first_above(1000, n))
        g.set_value(2, int(2 * widened(n)))
        """
    same_as_python(body, *N, (9,), parameters="n: int", first_above=first_above, widened=widened, in_the_first_round=in_the_first_round)


IN_ALL_LOOPS = {
    "return": "if n == 2:\n    return",
    "return of a value": "if n == 2:\n    return n",
    "buffer": "g.set_global_buffer(out, 64)",
}


@pytest.mark.parametrize("body", IN_ALL_LOOPS.values(), ids=IN_ALL_LOOPS)
def test_nested_loops_compile_in_linear_time(body):
    for i in range(18):
        body = f"for i{i} in range(2):\n" + textwrap.indent(body, "    ")
    if "return n" in body:
        nested = define(f"@asc.jit\ndef nested(n):\n{textwrap.indent(body, '    ')}\n    return 0", "nested")
        kernel = kernel_of("nested(n)", "n: int", nested=nested)
    else:
        kernel = kernel_of(body, "n: int")
    start = time.monotonic()
    kernel.compile(np.zeros(64, np.int32), 3)
    assert time.monotonic() - start < 2


def test_returns_in_branches_compile_in_linear_time():
    start = time.monotonic()
    for head in ("", "for i in range(3):\n    if n == {0}:\n        break\nelse:\n    g.set_value(1, {0})\n"):
        parts = (head + "if n > 0:\n    if n == {0}:\n        return\n    g.set_value(0, {0})\n" for _ in range(40))
        kernel_of("".join(part.format(i) for i, part in enumerate(parts)), "n: int").compile(np.zeros(64, np.int32), 3)
    assert time.monotonic() - start < 5


def test_flags_in_a_loop_with_break():
    @asc.jit
    def kernel(x: asc.GlobalAddress, stop: int):
        x_gm = asc.GlobalTensor()
        x_gm.set_global_buffer(x, 256)
        tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
        for i in range(4):
            if i == stop:
                break
            asc.data_copy(tile, x_gm[i * 64], 64)
            asc.pipe_barrier(asc.PipeID.PIPE_ALL)
            asc.adds(tile, tile, 1.0, 64)
            asc.pipe_barrier(asc.PipeID.PIPE_ALL)
            asc.data_copy(x_gm[i * 64], tile, 64)
            asc.pipe_barrier(asc.PipeID.PIPE_ALL)

    x = np.zeros(256, np.float32)
    kernel[1](x, 2)
    np.testing.assert_array_equal(x, [1.0] * 128 + [0.0] * 128)


def test_what_only_some_paths_have_ends_with_the_loop():
    d = refused("for i in range(6):\n    if i == n:\n        break\n    x = i\ng.set_value(0, x)  # here", "L105", 3, parameters="n: int")
    assert "x" in d.message


def test_a_device_loop_returns_numbers_only():
    @asc.jit
    def pick(tensor):
        for i in range(4):
            if tensor.get_value(i) > 0:
                return tensor[8 * i]
        return tensor

    refused("t = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)\npick(t)", "L107", pick=pick)


def test_static_range_with_run_time_bound():
    refused("for i in asc.static_range(n):  # here\n    pass", "T109", 3, parameters="n: int")


def test_huge_unrolled_loops_end():
    refused("for i in asc.static_range(10**12):  # here\n    pass", "L202")
    refused("for i in asc.static_range(2000):\n    for j in asc.static_range(2000):\n        pass", "L202")


# ---------------------------------------------------------------- while


def test_while_follows_its_condition():
    same_as_python(
        "count = 0\nwhile n > 0 and count < 100:\n    n = n // 2\n    count += 1\ng.set_value(0, count)\ng.set_value(1, n)",
        *N,
        (1000,),
        parameters="n: int",
    )
    same_as_python("a = 48\nb = n\nwhile b:\n    a, b = b, a % b\ng.set_value(0, a)", *N, (36,), parameters="n: int")


def test_while_whose_test_ends_in_a_branch():
    same_as_python(
        "k = 0\nwhile n == 0 or 10 // n > k:\n    k = k + 1\n    if k == 20:\n        n = 1\ng.set_value(0, k)", *N, parameters="n: int"
    )


def test_while_with_known_numbers():
    same_as_python("i = 0\nwhile i < 7:\n    i += 3\ng.set_value(0, i)")
    same_as_python("i = 10\nwhile i < 7:\n    i += 3\ng.set_value(0, i)")
    same_as_python("while False:\n    n = 1 // 0\ng.set_value(0, 5)")


def test_while_reads_memory_in_its_condition():
    out = run(
        kernel_of(
            "g.set_value(0, 5)\nn = 0\nwhile g.get_value(0) > 0:\n    g.set_value(0, g.get_value(0) - 2)\n    n += 1\ng.set_value(1, n)"
        )
    )
    assert out[:2].tolist() == [-1, 3]


# ---------------------------------------------------------------- if


@pytest.mark.parametrize("condition", ["True", "n > 0", "g.get_value(0) > 0"])
def test_an_endless_while_without_effects_is_no_dead_code(condition):
    kernel = kernel_of(f"while {condition}:\n    pass\ng.set_value(0, 1)", "n: int").options(max_cycles=10_000)
    with pytest.raises(PyascError, match="M204"):
        run(kernel, 3)


def test_if_elif_else():
    same_as_python(
        """
        x = 0
        if n < 0:
            x = 1
            y = -n
        elif n == 1:
            y = 20
        elif n > 4:
            x = n * 2
            y = 30
        else:
            y = 40
        g.set_value(0, x)
        g.set_value(1, y)
        """,
        *N,
        parameters="n: int",
    )


def test_static_conditions_take_one_branch():
    same_as_python("if 'a' == 'b':\n    x = undefined_name\nelse:\n    x = 3\ng.set_value(0, x)")


def test_merged_types():
    kernel_of(
        """
        x = 1 if n > 0 else 2.5
        assert x.dtype == asc.float32
        y = 7
        if n > 0:
            y = n.cast(asc.int16)
        assert y.dtype == asc.int16
        z = n.cast(asc.int64) if n > 0 else n
        assert z.dtype == asc.int64
        same = 4
        if n > 0:
            same = 4
        assert same == 4
        """,
        "n: int",
    ).compile(np.zeros(64, np.int32), 1)


def test_conditional_expressions():
    same_as_python(
        "g.set_value(0, n if n > 2 else -n)\ng.set_value(1, 10 // n if n != 0 else 0)\ng.set_value(2, (1 if n else 2) if n > 1 else 3)",
        *N,
        parameters="n: int",
    )


def test_and_or_give_operands_and_stop_early():
    same_as_python(
        """
        g.set_value(0, n > 0 and n < 4)
        g.set_value(1, n and 7)
        g.set_value(2, n or 7)
        if n != 0 and 10 // n > 1:
            g.set_value(3, 1)
        if n == 0 or 10 // n < 0:
            g.set_value(4, 1)
        g.set_value(5, not (n > 1 and n < 10) or n == 2)
        g.set_value(6, 1 < n <= 5)
        g.set_value(7, 0 <= n < 10 != 5)
        g.set_value(8, 0 and undefined)
        """,
        *N,
        parameters="n: int",
    )


def test_floats_as_conditions():
    same_as_python(
        "g.set_value(0, 1 if x else 2)\nif x:\n    g.set_value(1, 5)",
        *[(np.float32(v),) for v in (0.0, -0.0, 0.3, float("nan"))],
        parameters="x: float",
    )


def test_early_return():
    same_as_python(
        """
        g.set_value(0, 1)
        if n < 0:
            return
        g.set_value(1, 2)
        if n > 4:
            g.set_value(2, 3)
            if n > 10:
                return
            g.set_value(3, 4)
        else:
            g.set_value(4, 5)
            return
        g.set_value(5, 6)
        """,
        *N,
        parameters="n: int",
    )


def test_variable_unset_on_one_path():
    d = refused("if n > 0:\n    x = 1\ng.set_value(0, x)  # here", "L105", 3, parameters="n: int")
    assert d.message == "'x' may have no value here: it is not assigned when `n > 0` in line 5 is false" and d.notes
    d = refused("if n > 0:\n    y = 2\nelse:\n    x = 1\ng.set_value(0, x)  # here", "L105", 3, parameters="n: int")
    assert "when `n > 0` in line 5 is true" in d.message
    d = refused(
        "if " + " or ".join(f"n == {i}" for i in range(20)) + ":\n    x = 1\ng.set_value(0, x)  # here", "L105", 3, parameters="n: int"
    )
    assert "when the condition in line 5 is false" in d.message
    d = refused("for i in range(n):\n    x = i\ng.set_value(0, x)  # here", "L105", 3, parameters="n: int")
    assert "when the loop in line 5 runs zero times" in d.message
    left = "for i in range(n):\n    if i == 2:\n        break\nelse:\n    x = 1\ng.set_value(0, x)  # here"
    assert "when the loop in line 5 is left early" in refused(left, "L105", 3, parameters="n: int").message
    refused("while n > 0:\n    n -= 1\n    x = n\ng.set_value(0, x)  # here", "L105", 3, parameters="n: int")
    refused("for i in range(n):\n    if i > 0:\n        g.set_value(0, x)  # here\n    x = i", "L101", 3, parameters="n: int")


def test_variable_unset_is_no_error_when_nobody_reads_it():
    same_as_python("if n > 0:\n    x = 1\nelse:\n    x = 'text'\nx = n\ng.set_value(0, x)", *N, parameters="n: int")


def test_different_kinds_meet():
    d = refused("x = 1\nif n > 0:\n    x = 'text'\ng.set_value(0, x)  # here", "L106", 3, parameters="n: int")
    assert "text" in d.message
    refused("x = 1\nfor i in range(n):\n    x = None\ng.set_value(0, x)  # here", "L106", 3, parameters="n: int")
    refused("x = g if n > 0 else 3  # here", "L106", 3, parameters="n: int")


def test_tensor_is_no_condition():
    refused("if g:  # here\n    pass", "T104")


# ---------------------------------------------------------------- objects


def test_buffers_given_in_branches_and_loops():
    same = kernel_of(
        """
        t = asc.GlobalTensor()
        t.set_global_buffer(out, 64)
        if n > 2:
            t.set_global_buffer(out + 10, 64)
        t.set_value(0, 1)
        for i in range(n):
            t.set_global_buffer(out + 20 + i, 64)
            t.set_value(0, i)
        t.set_value(1, 7)
        """,
        "n: int",
    )
    out = run(same, 0)
    assert out[0] == 1 and out[1] == 7
    out = run(same, 3)
    assert out[10] == 1 and out[20:24].tolist() == [0, 1, 2, 7]


def test_buffer_missing_on_one_path():
    refused(
        "t = asc.GlobalTensor()\nif n > 2:\n    t.set_global_buffer(out, 64)\nt.set_value(0, 1)  # here", "T301", 3, parameters="n: int"
    )


def test_tensors_in_branches():
    kernel = kernel_of("t = g[4] if n > 2 else g\nu = g\nfor i in range(n):\n    u = u[1]\nt.set_value(0, 1)\nu.set_value(30, 2)", "n: int")
    out = run(kernel, 3)
    assert out[4] == 1 and out[33] == 2
    out = run(kernel, 2)
    assert out[0] == 1 and out[32] == 2


def test_lists_do_not_change_in_device_code():
    refused("parts = []\nfor i in range(n):\n    parts.append(i)  # here", "L305", 3, parameters="n: int")
    refused("parts = [0]\nif n > 0:\n    parts[0] = 1  # here", "L305", 3, parameters="n: int")
    refused("p = asc.DataCopyParams()\nif n > 0:\n    p.block_len = 1  # here", "L305", 3, parameters="n: int")


def test_values_do_not_leave_their_branch_in_objects():
    refused("keep = None\nfor i in range(n):\n    keep = [i + 1]\ng.set_value(0, keep[0])  # here", "L106", 3, parameters="n: int")


def test_structures_are_merged():
    kernel_of(
        """
            p = asc.DataCopyParams(1, 2)
            if n > 0:
                p = asc.DataCopyParams(1, n)
            assert p.block_count == 1
            x = p.block_len + 1
            assert x.dtype == asc.int32
            """,
        "n: int",
    ).compile(np.zeros(64, np.int32), 1)


@pytest.mark.parametrize("a, u", [(-5, 7), (5, 7), (8, 7)])
def test_conversions_of_the_other_branch_do_not_run(a, u):
    body = """
        r = a if a >= 0 else u
        g.set_value(0, r.cast(asc.int32))
        g.set_value(1, 1 if a >= 0 and a < u else 0)
        g.set_value(2, 1 if a < 0 or a < u else 0)
        """
    got = run(kernel_of(body, "a: asc.int32, u: asc.uint64"), a, u)
    assert got[:3].tolist() == [a if a >= 0 else u, a >= 0 and a < u, a < 0 or a < u]


# ---------------------------------------------------------------- loops that only return leaves, values that nobody wants

ENDLESS = {
    "one return": """
        while True:
            n -= 3
            if n < 4:
                return n
    """,
    "several": """
        while True:
            n = n // 2
            if n > 100:
                return n - 1
            if n <= 2:
                return 7
    """,
    "in a loop": """
        for i in range(3):
            while True:
                n = n // 2
                if n < 8:
                    return n * 10 + i
        return -1
    """,
    "in a branch": """
        if n > 5:
            while 1:
                n -= 1
                if n % 4 == 0:
                    return n
        return 50
    """,
    "a loop inside that is left by break": """
        while True:
            for i in range(20):
                if i * i > n:
                    break
                n -= 1
            if n < 3:
                return n
    """,
    "continue": """
        while True:
            n -= 1
            if n % 3:
                continue
            if n < 10:
                return n
    """,
    "a break elsewhere": """
        while True:
            n -= 1
            if n < 0:
                break
            if n % 7 == 0:
                return n
        return 1000
    """,
}


@pytest.mark.parametrize("what", ENDLESS)
def test_while_true_that_return_leaves(what):
    before = "@asc.jit\ndef find(n):\n" + textwrap.indent(textwrap.dedent(ENDLESS[what]), "    ")
    same_as_python("g.set_value(0, find(n) * 2)", *[(n,) for n in (-3, 0, 1, 5, 11, 300)], parameters="n: int", before=before)


def test_what_follows_an_endless_loop_never_runs():
    body = "while True:\n    n -= 1\n    if n < 3:\n        g.set_value(0, n)\n        return\ng.set_value(1, 5)"
    same_as_python(body, (9,), parameters="n: int")


@pytest.mark.parametrize(
    "statement",
    [
        "n > 3 and store(g, n)",
        "n > 3 or store(g, n)",
        "n > 1 and n < 9 and store(g, 1)",
        "n > 8 or (n > 1 and store(g, 2))",
        "n > 3 and (n < 9 and store(g, n))",
        "store(g, n) if n > 3 else n",
        "store(g, n) if n > 3 else (n > 0 and store(g, 5))",
        "(n > 3) and g.set_value(2, n)",
        "n > 3 and 0 and store(g, n)",
    ],
)
def test_the_value_of_a_statement_does_not_matter(statement):
    before = "@asc.jit\ndef store(g, n):\n    g.set_value(1, n)\n"
    same_as_python(statement, *N, parameters="n: int", before=before)


def test_the_value_of_an_expression_matters():
    before = "@asc.jit\ndef store(g, n):\n    g.set_value(1, n)\n"
    for expression in ("n > 3 and store(g, n)", "store(g, n) if n > 3 else n"):
        refused(f"x = {expression}  # here", "L106", 1, parameters="n: int", store=define(before, "store"))
