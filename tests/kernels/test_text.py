# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What kernels print, and how they stop: print, printf, f-strings, assert, trap.
import contextlib
import io

import asc
import numpy as np
import pytest
from support.kernel_file import load, marked_lines
from support.refusals import diagnostics_of

HEAD = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, n: int, f: float, k: asc.ConstExpr[int] = 8):
    t = asc.GlobalTensor()
    t.set_global_buffer(x, 64)
"""


def kernel_of(*lines: str, head: str = HEAD):
    return load(head + "".join(f"    {line}\n" for line in lines)).kernel


def printed(*lines: str, blocks: int = 1, n=7, f=1.5, data=None, **options) -> str:
    kernel = kernel_of(*lines).options(**options)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        kernel[blocks](np.zeros(64, np.float32) if data is None else data, n, f)
    return out.getvalue()


PRINTF = [
    ("printf('hello\\n')", "hello\n"),
    ("printf('hello\\\\n')", "hello\n"),  # escaped, as for C++
    ("printf('n is %d, f is %f\\n', n, f)", "n is 7, f is 1.500000\n"),
    ("printf('%i|%u|%x|%5d|%-5d|%05d|%+d', n, n, n * 40, n, n, n, n)", "7|7|118|    7|7    |00007|+7"),
    ("printf('%8.2f|%.0f', f, f)", "    1.50|2"),
    ("printf('%ld %lld', n, asc.number(n, asc.int64))", "7 7"),
    ("printf('fmt string %d', 0x123)", "fmt string 291"),
    ("printf('%f', 3.14)", "3.140000"),
    ("printf('%d%%', n)", "7%"),
    ("printf('%s is %d, %s', 'n', n, '100 %d')", "n is 7, 100 %d"),
    ("printf('%-4s|%4s|%.2s', 'ab', 'ab', 'abc')", "ab  |  ab|ab"),
    ("printf('%d %d', n > 3, False)", "1 0"),
    ("printf('%x', -n)", "fffffffffffffff9"),
    ("printf('%d', asc.number(-n, asc.int8))", "-7"),
    ("printf('%d', t.get_size())", "64"),
    ("printf('%f %f', asc.number(f, asc.float16), asc.number(f, asc.bfloat16))", "1.500000 1.500000"),
    ("printf(f'{n} of {k}: %d\\n', n + 1)", "7 of 8: 8\n"),
    ("printf('naïve %d €', n)", "naïve 7 €"),
    ("printf('%s', f'<{n}>')", "<7>"),
]


@pytest.mark.parametrize("call, text", PRINTF, ids=[call for call, _ in PRINTF])
@pytest.mark.parametrize("check", [True, False])
def test_printf(call, text, check):
    assert printed(f"asc.{call}", check=check) == text


PRINT = [
    ("print()", "\n"),
    ("print('a', 1, None, 2.5, k)", "a 1 None 2.5 8\n"),
    ("print(n)", "7\n"),
    ("print('n', n, sep='=', end=';')", "n=7;"),
    ("print(n, f, sep=None, end=None)", "7 1.500000\n"),
    ("print(f'{n}', f'{n + 1:4d}|{f:.2f}|{f:8.3f}|{n:<4}|{n:04}|{n:+d}|{n:x}')", "7    8|1.50|   1.500|7   |0007|+7|7\n"),
    ("print(f'100% {n} %d {{}}')", "100% 7 %d {}\n"),
    ("print(str(n) if k > 1 else '', f'{k:>3}')", "7   8\n"),
    ("print((n, 'a', 1), [f], (n,))", "(7, 'a', 1) [1.500000] (7,)\n"),
    ("print(f'{str(n)}!', f'{k if k > 9 else str(n)}')", "7! 7\n"),
    ("print(n > 3)", "1\n"),
    ("print({'n': n, 3: [n, 'a'], 'e': {}})", "{'n': 7, 3: [7, 'a'], 'e': {}}\n"),
    (
        "a = asc.array(asc.int32, [n, 2]); print(f'{a}|{[n, k]}|{(n,)!r}', str(a), repr([n, f'{n}']))",
        "[7, 2]|[7, 8]|(7,) [7, 2] [7, '7']\n",
    ),
    ("print('<' + f'{n}' + '>', f'{n}' + 'x')", "<7> 7x\n"),
    ("print('\\ttab \"quoted\" back\\\\slash')", '\ttab "quoted" back\\slash\n'),
    ("print(t.get_value(3))", "3.000000\n"),
]


@pytest.mark.parametrize("call, text", PRINT, ids=[call for call, _ in PRINT])
def test_print(call, text):
    assert printed(call, data=np.arange(64, dtype=np.float32)) == text


@pytest.mark.parametrize("blocks", [1, 3, 48, 100])
def test_blocks_one_after_the_other(blocks):
    lines = ["i = asc.get_block_idx()", "print('block', i)", "for j in range(n):", "    if j % 3 == 0:", "        print(f'  {i}.{j}')"]
    text = "".join(f"block {i}\n" + "".join(f"  {i}.{j}\n" for j in range(0, 7, 3)) for i in range(blocks))
    assert printed(*lines, blocks=blocks) == text
    # Blocks that can see what others write run in turns.
    lines.insert(0, "t.set_value(asc.get_block_idx(), t.get_value(63))")
    if blocks == 3:
        assert printed(*lines, blocks=blocks, check=False) == text


def test_in_a_device_function():
    kernel = load(
        """import asc


@asc.jit
def show(name, value):
    print(f"{name} is {value}")


@asc.jit
def kernel(n: int):
    for name, value in (("n", n), ("twice", 2 * n)):
        show(name, value)
    show("one", 1)
"""
    ).kernel
    with contextlib.redirect_stdout(io.StringIO()) as out:
        kernel[1](4)
    assert out.getvalue() == "n is 4\ntwice is 8\none is 1\n"


def test_a_text_in_a_variable_keeps_its_values():
    assert printed("text = f'{n}|'", "n = n + 1", "text = f'{text}{n}'", "print(text)") == "7|8\n"


def test_findings_come_after_the_text(capsys):
    kernel = kernel_of("print('before')", "t.set_value(100, 0.0)", "print('after')")
    diagnostics = diagnostics_of(lambda: kernel[2](np.zeros(64, np.float32), 1, 1.0))
    assert {"M101"} < {d.code for d in diagnostics}
    assert capsys.readouterr().out == "before\n"


def test_the_buffer_has_an_end():
    line = "a" * 99
    text = printed("for i in range(n):", f"    print('{line}')", n=11_000, blocks=2)
    lines = f"{line}\n" * ((1 << 20) // 100)
    assert text == 2 * f"{lines}\n[the buffer for printed text is full: the rest of this block is left out]\n"


# ---------------------------------------------------------------- assert and trap


def test_assertions_that_hold():
    assert printed("assert n == 7", "assert n and f, 'both'", "assert t.get_value(n) == 0, f'{t.get_value(n)}'") == ""


FAILS = [
    (["assert n < 5  # <- here"], "assertion failed: n < 5", "n < 5 is false: n = 7"),
    (["assert n < 5, 'too many'  # <- here"], "assertion failed: too many", "n < 5 is false: n = 7"),
    (
        ["assert n < k - 4, f'{n} are too many, 100% sure'  # <- here"],
        "assertion failed: 7 are too many, 100% sure",
        "n < k - 4 is false: n = 7, k = 8",
    ),
    (["assert f > 2 and n > 0, f'{f:.2f}'  # <- here"], "assertion failed: 1.50", "f > 2 and n > 0 is false: f = 1.5, n = 7"),
    (["assert not n, f'{n * 2 + 1}, {t.get_value(n)}'  # <- here"], "assertion failed: 15, 0.000000", "not n is false: n = 7"),
    (["assert n - 7  # <- here"], "assertion failed: n - 7", "n - 7 is false: n = 7"),
    (["odd = n % 2 == 0", "assert odd, n  # <- here"], "assertion failed: 7", "odd is false: odd = False"),
    (["for i in range(9):", "    assert i < n, (i, 'x')  # <- here"], "assertion failed: (7, 'x')", "i < n is false: i = 7, n = 7"),
]


@pytest.mark.parametrize("lines, message, values", FAILS, ids=[lines[-1] for lines, _, _ in FAILS])
@pytest.mark.parametrize("check", [True, False])
def test_assertions_that_fail(lines, message, values, check):
    source = HEAD + "".join(f"    {line}\n" for line in lines)
    kernel = load(source).kernel.options(check=check)
    (found,) = diagnostics_of(lambda: kernel[1](np.zeros(64, np.float32), 7, 1.5))
    assert (found.code, found.message, found.span.line) == ("M206", message, marked_lines(source)["here"])
    assert found.notes[0].text == f"block 0, pipe S: {values}"


def test_the_message_is_computed_only_when_it_is_needed():
    """Dividing by n, or reading beyond the array, would be a finding of its own."""
    assert printed("assert n == 0, f'{5 // n}'", "assert f > 1, f'{t.get_value(1000)}'", n=0) == ""


def test_the_first_block_that_fails_stops_the_launch(capsys):
    kernel = kernel_of("i = asc.get_block_idx()", "print(i)", "assert i < 5, i", "print('end', i)")
    (found,) = diagnostics_of(lambda: kernel[40](np.zeros(64, np.float32), 7, 1.5))
    assert found.notes[0].text.startswith("block 5,")
    assert capsys.readouterr().out == "".join(f"{i}\nend {i}\n" for i in range(5)) + "5\n"


@pytest.mark.parametrize("check", [True, False])
def test_trap(check, capsys):
    source = HEAD + "    print('before')\n    if n > 3:\n        asc.trap()  # <- here\n    print('after')\n"
    kernel = load(source).kernel.options(check=check)
    kernel[1](np.zeros(64, np.float32), 3, 1.0)
    (found,) = diagnostics_of(lambda: kernel[1](np.zeros(64, np.float32), 4, 1.0))
    assert (found.code, found.span.line) == ("M207", marked_lines(source)["here"])
    assert capsys.readouterr().out == "before\nafter\nbefore\n"


def test_ascendc():
    text = kernel_of("asc.printf('%s: %d\\n', 'n', n)", "print(f, '%')", "assert n < k, f'n is {n}'", "assert n", "asc.trap()").compile(
        np.zeros(64, np.float32), 7, 1.5
    )
    lines = [line.strip() for line in text.ascendc.splitlines() if not line.strip().startswith("#line")]
    assert lines[-6:-1] == [
        'AscendC::printf("n: %d\\n", n);',
        'AscendC::printf("%f %%\\n", f);',
        'assert(n < 8, "n is %d", n);',
        "assert(n != 0);",
        "AscendC::Trap();",
    ]


def test_on_the_host():
    with pytest.raises(Exception, match="L301"):
        asc.printf("%d", 1)
