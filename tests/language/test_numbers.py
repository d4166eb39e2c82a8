# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/numbers.md is what the compiler does; operations give the same at run time, folded, and in Python or NumPy."""

import operator
import textwrap
from pathlib import Path

import asc
import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyasc import _core
from pyasc.errors import PyascError
from support.dtypes import FLOATS, NUMPY, assert_same, special_values
from support.python_kernel import define, kernel_of, refused, run

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "numbers.md").read_text()
TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32"]


def table(heading):
    """The rows of the table that begins with a heading cell: {row: {column: cell}}."""
    text = PAGE[PAGE.index(f"| {heading} |" if heading else "| | bool |") :].split("\n\n")[0]
    first, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    return {row[0]: dict(zip(first[1:], row[1:], strict=True)) for row in rows}


def asserted(lines):
    """A kernel with a parameter v_TYPE of each type compiles with these static assertions."""
    parameters = ", ".join(f"v_{name}: D['{name}']" for name in TYPES)
    dtypes = {str(dtype): dtype for dtype in _core.dtypes}
    head = f"@asc.jit\ndef kernel({parameters}):\n    "
    kernel = define(head + "\n    ".join(lines) + "\n", "kernel", D=dtypes)
    return kernel.compile(*[dtypes[name] for name in TYPES])


def test_table_of_pairs():
    rows = table("")
    assert list(rows) == TYPES
    lines = []
    for a in TYPES:
        for b, cell in rows[a].items():
            if cell != "error":
                lines.append(f"asc.static_assert((v_{a} * v_{b}).dtype == D['{cell}'], '{a} {b}')")
            assert rows[b][a] == cell
    asserted(lines)
    errors = [(a, b) for a in TYPES for b in TYPES if rows[a][b] == "error"]
    assert errors == [("int64", "uint64"), ("uint64", "int64")]
    for a, b in errors:
        refused(f"x = asc.number(1, asc.{a}) + asc.number(1, asc.{b})  # here", "T102")


def test_table_of_literals():
    lines = []
    for name, cells in table("run-time").items():
        for column, literal in (("int", "3"), ("float", "0.5"), ("True, False", "True")):
            lines.append(f"asc.static_assert((v_{name} + {literal}).dtype == D['{cells[column]}'], '{name} {column}')")
            lines.append(f"asc.static_assert(max({literal}, v_{name}).dtype == D['{cells[column]}'] or '{name}' == 'bool')")
    assert len(lines) == 6 * len(TYPES)
    asserted(lines)


def test_bools_and_comparisons():
    both = [f"asc.static_assert((v_bool {op} v_bool).dtype == D['bool'])" for op in "&|^"]
    compared = [f"asc.static_assert((v_{a} < v_int32).dtype == D['bool'])" for a in TYPES]
    asserted([*both, *compared, "asc.static_assert(max(v_bool, v_bool).dtype == D['bool'])"])


# ---------------------------------------------------------------- three ways to compute

INTS = {
    "a + b": operator.add,
    "a - b": operator.sub,
    "a * b": operator.mul,
    "a // b": lambda a, b: a // b if b else 0,
    "a % b": lambda a, b: a % b if b else 0,
    "a & b": operator.and_,
    "a | b": operator.or_,
    "a ^ b": operator.xor,
    "-a": lambda a, b: -a,
    "~a": lambda a, b: ~a,
    "abs(a)": lambda a, b: abs(a),
    "min(a, b)": min,
    "max(a, b)": max,
    "asc.ceildiv(a, b)": lambda a, b: -(-a // b) if b else 0,
}
SHIFTS = {"a << s": operator.lshift, "a >> s": operator.rshift}
FLOAT_OPS = {
    "a + b": np.add,
    "a - b": np.subtract,
    "a * b": np.multiply,
    "a / b": np.divide,
    "a // b": np.floor_divide,
    "a % b": np.remainder,
    "-a": lambda a, b: np.negative(a),
    "abs(a)": lambda a, b: np.abs(a),
    "min(a, b)": lambda a, b: np.where(b < a, b, a),
    "max(a, b)": lambda a, b: np.where(b > a, b, a),
}
COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]


def expressions(name):
    return list(FLOAT_OPS) if name in FLOATS else [*INTS, *SHIFTS]


def at_run_time(name, x, y, s):
    """Results of every expression and comparison, a row each, from values that the kernel loads."""
    stores = [f"z_gm.set_value({k} * n + i, {e})" for k, e in enumerate(expressions(name))]
    stores += [f"t_gm.set_value({k} * n + i, a {op} b)" for k, op in enumerate(COMPARISONS)]
    text = """
        @asc.jit(check=False)
        def kernel(x, y, shift, z, t, n: int):
            x_gm, y_gm, s_gm, z_gm, t_gm = [asc.GlobalTensor() for _ in range(5)]
            x_gm.set_global_buffer(x, n)
            y_gm.set_global_buffer(y, n)
            s_gm.set_global_buffer(shift, n)
            z_gm.set_global_buffer(z)
            t_gm.set_global_buffer(t)
            for i in range(n):
                a, b, s = x_gm.get_value(i), y_gm.get_value(i), s_gm.get_value(i)
        """
    kernel = define(dedented(text) + "".join(f"        {store}\n" for store in stores), "kernel")
    return launched(kernel, name, len(x), x, y, s)


def folded(name, x, y, s):
    """The same from constants of the type."""
    lines = ["@asc.jit(check=False)", "def kernel(z: asc.GlobalAddress, t: asc.GlobalAddress):", "    z_gm = asc.GlobalTensor()"]
    lines += ["    z_gm.set_global_buffer(z)", "    t_gm = asc.GlobalTensor()", "    t_gm.set_global_buffer(t)"]
    lines += [f"    for i in asc.static_range({len(x)}):"]
    lines += ["        a, b, s = asc.number(X[i], D), asc.number(Y[i], D), asc.number(S[i], D)"]
    lines += [f"        z_gm.set_value({k * len(x)} + i, {e})" for k, e in enumerate(expressions(name))]
    lines += [f"        t_gm.set_value({k * len(x)} + i, a {op} b)" for k, op in enumerate(COMPARISONS)]
    values = {key: [v.item() if name not in FLOATS else float(v) for v in array] for key, array in (("X", x), ("Y", y), ("S", s))}
    kernel = define("\n".join(lines) + "\n", "kernel", D=getattr(asc, name), **values)
    return launched(kernel, name, len(x))


def launched(kernel, name, n, *arrays):
    z, t = np.zeros(len(expressions(name)) * n, NUMPY[name]), np.zeros(len(COMPARISONS) * n, np.bool_)
    kernel[1](*arrays, z, t, *([n] if arrays else []))
    return z.reshape(-1, n), t.reshape(-1, n)


def dedented(text):
    return textwrap.dedent(text).lstrip("\n").rstrip(" ")


def expected(name, e, x, y, s):
    if name in FLOATS:
        with np.errstate(all="ignore"):
            return FLOAT_OPS[e](x, y).astype(NUMPY[name])
    wrap = (1 << 8 * NUMPY[name].itemsize) - 1
    other = s if e in SHIFTS else y
    results = [(INTS | SHIFTS)[e](int(a), int(b)) & wrap for a, b in zip(x, other, strict=True)]
    return np.array(results, f"u{NUMPY[name].itemsize}").view(NUMPY[name])


def check_three_ways(name, x, y):
    bits = 8 * NUMPY[name].itemsize
    s = np.array([int(abs(float(v))) % bits if np.isfinite(float(v)) else 0 for v in y], NUMPY[name])
    (run_z, run_t), (folded_z, folded_t) = at_run_time(name, x, y, s), folded(name, x, y, s)
    for k, e in enumerate(expressions(name)):
        assert_same(folded_z[k], run_z[k], f"{e} of {name}, folded and at run time")
        if name != "bfloat16" or e not in ("a // b", "a % b"):
            assert_same(run_z[k], expected(name, e, x, y, s), f"{e} of {name}")
    for k, op in enumerate(COMPARISONS):
        with np.errstate(invalid="ignore"):
            want = {"==": x == y, "!=": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]
        assert (folded_t[k] == run_t[k]).all() and (run_t[k] == want).all(), f"a {op} b of {name}"


ARITHMETIC = [name for name in TYPES if name != "bool"]


@pytest.mark.parametrize("name", ARITHMETIC)
def test_edges_three_ways(name):
    values = special_values(name)
    x, y = (part.ravel() for part in np.meshgrid(values, values))
    check_three_ways(name, x, y)


def numbers_of(name):
    if name in FLOATS:
        width = 32 if name == "float32" else 16
        patterns = st.integers(0, 2**width - 1).map(lambda bits: np.array(bits, f"u{width // 8}").view(NUMPY[name]))
        return patterns | st.integers(-40, 40).map(lambda v: np.array(v / 4, NUMPY[name]))
    limits = np.iinfo(NUMPY[name])
    return st.integers(int(limits.min), int(limits.max)) | st.integers(max(-9, int(limits.min)), 9)


@pytest.mark.parametrize("name", ARITHMETIC)
def test_random_values_three_ways(name):
    @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.tuples(numbers_of(name), numbers_of(name)), min_size=6, max_size=6))
    def check(pairs):
        x, y = (np.array(column, NUMPY[name]) for column in zip(*pairs, strict=True))
        check_three_ways(name, x, y)

    check()


@pytest.mark.parametrize("source", [*ARITHMETIC, "bool"])
def test_conversions_at_run_time_and_folded(source):
    t = NUMPY["bool_" if source == "bool" else source]
    values = special_values("bool_" if source == "bool" else source)
    targets = [name for name in ARITHMETIC if name != source] + ["float64"]
    dtypes = {str(dtype): dtype for dtype in _core.dtypes}
    for target in targets:
        text = f"""
            @asc.jit
            def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, w: asc.GlobalAddress):
                x_gm, z_gm, w_gm = [asc.GlobalTensor() for _ in range(3)]
                x_gm.set_global_buffer(x)
                z_gm.set_global_buffer(z)
                w_gm.set_global_buffer(w)
                for i in range({len(values)}):
                    z_gm.set_value(i, x_gm.get_value(i).cast(TARGET))
                for i in asc.static_range({len(values)}):
                    w_gm.set_value(i, asc.number(X[i], SOURCE).cast(TARGET))
            """
        X = [float(v) if source in FLOATS else v.item() for v in values]
        kernel = define(dedented(text), "kernel", X=X, SOURCE=dtypes[source], TARGET=dtypes[target])
        z, w = np.zeros(len(values), NUMPY[target]), np.zeros(len(values), NUMPY[target])
        kernel[1](values.astype(t), z, w)
        assert_same(w, z, f"{source} to {target}, folded and at run time")
        assert_same(z, converted(values, target), f"{source} to {target}")


def converted(values, target):
    """Conversion as docs/numbers.md has it: through Python's ints, and NumPy's rounding."""
    t = NUMPY[target]
    if target in FLOATS:
        with np.errstate(all="ignore"):
            wide = values.astype(np.float32) if values.dtype == ml_dtypes.bfloat16 else values
            return wide.astype(t)
    limits, floats = np.iinfo(t), values.dtype.kind not in "iub"
    results = []
    for v in values:
        if floats:
            v = float(v)
            whole = 0 if np.isnan(v) else limits.max if v >= limits.max else limits.min if v <= limits.min else int(v)
        else:
            whole = int(v) & ((1 << 8 * t.itemsize) - 1)
        results.append(int(whole) & ((1 << 8 * t.itemsize) - 1))
    return np.array(results, f"u{t.itemsize}").view(t)


# ---------------------------------------------------------------- what is folded, and what is left to the run


def test_constants_are_folded():
    body = "x = asc.number(7, asc.int8) * 3 - 30\ng.set_value(0, (x // 2 > -9) + x.cast(asc.int32) % 5)"
    kernel = kernel_of(body)
    assert "arith.muli" not in kernel.compile(np.zeros(64, np.int32)).ir and "asc.convert" not in kernel.compile(np.zeros(64, np.int32)).ir
    assert run(kernel)[0] == (-9 // 2 > -9) + -9 % 5


MISTAKES = {
    "overflow": ("a + 1", 2**31 - 1, "M201"),
    "shift": ("a << 31", 1, "M201"),
    "shift of a negative": ("a << 30", -3, "M201"),
    "negation": ("-a", -(2**31), "M201"),
    "quotient": ("a // -1", -(2**31), "M201"),
    "division": ("5 // a", 0, "M202"),
    "operand": ("a + asc.number(1, asc.uint64)", -1, "M205"),
    "comparison": ("a < asc.number(1, asc.uint64)", -1, "M205"),
    "branches": ("a if asc.get_block_idx() == 0 else asc.number(1, asc.uint64)", -1, "M205"),
    "all ones": ("a | asc.number(2**64 - 1, asc.uint64)", -1, "M205"),
    "no bits": ("(a + asc.number(5, asc.uint64)) & 0", -1, "M205"),
    "times zero": ("a * asc.number(0, asc.uint64)", -86, "M205"),
    "the largest": ("max(a, asc.number(2**64 - 1, asc.uint64))", -86, "M205"),
    "index of 64 bits": ("g.get_value(a.cast(asc.uint64))", -1, "M205"),
}


@pytest.mark.parametrize("way", ["run time", "constant"])
@pytest.mark.parametrize("expression, value, code", MISTAKES.values(), ids=MISTAKES.keys())
def test_mistakes_are_found_at_run_time_and_of_constants(expression, value, code, way):
    body = f"x = {expression}\ng.set_value(0, x.cast(asc.int32))"
    if way == "run time":
        kernel, args = kernel_of(body, "a: int"), (value,)
    else:
        kernel, args = kernel_of(f"a = asc.number({value}, asc.int32)\n{body}"), ()
    with pytest.raises(PyascError) as caught:
        run(kernel, *args)
    assert caught.value.code == code


def test_no_finding_where_nothing_is_lost():
    body = """
        g.set_value(0, (a << 30) >> 30)
        g.set_value(1, (asc.number(3, asc.uint32) << 31).cast(asc.int32))
        g.set_value(2, (a + asc.number(5, asc.uint64)).cast(asc.int32))
        g.set_value(3, asc.ceildiv(asc.number(-2**31, asc.int32) + (a - 1), 2))
        g.set_value(4, (a - 2).cast(asc.uint64).cast(asc.int32))
        """
    assert run(kernel_of(body, "a: int"), 1)[:5].tolist() == [1, -(2**31), 6, -(2**30), -1]


@pytest.mark.parametrize("name", ["uint8", "uint32", "uint64", "int64", "int8"])
def test_loop_bounds_of_any_type(name):
    body = "t = 0\nfor i in range(asc.number(2, D), n, asc.number(3, D)):\n    t = t * 10 + i\ng.set_value(0, t.cast(asc.int32))"
    kernel = kernel_of(body, "n: D", D=getattr(asc, name))
    for n in (0, 2, 3, 12):
        t = 0
        for i in range(2, n, 3):
            t = t * 10 + i
        assert run(kernel, n)[0] == t
