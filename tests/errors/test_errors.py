# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every code has an example, python/pyasc/explained/CODE.py: its wrong half ends in that code, with exactly the text of expected/CODE.txt,
# and its right half runs without a word. programs/CODE_what.py are further mistakes with that code, with expected/CODE_what.txt.
# `pytest tests/errors --update-golden` rewrites the texts.
import os
import re
import runpy
import warnings
from pathlib import Path
from unittest import mock

import pytest
from pyasc import explained
from pyasc._core import codes
from pyasc.errors import PyascError, PyascWarning

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("*.py"))
CODES = sorted(code for code, _, _ in codes())

# Codes whose example is no Python program, and the test that shows them.
ELSEWHERE = {
    "C101": "src/isa/text_test.cpp",  # kernels do not read program files
    "C102": "src/isa/text_test.cpp",
    "C103": "src/isa/text_test.cpp",
    "C104": "src/isa/text_test.cpp",
    "C201": "tests/errors/test_cache_files.py",  # takes two processes
    **dict.fromkeys((f"C30{n}" for n in range(1, 8)), "tests/kernel_files/test_failures.py"),  # shells, not kernels
    **dict.fromkeys((f"C31{n}" for n in range(1, 6)), "tests/kernel_files/test_compile.py"),
    "M102": "src/sim/simulator_test.cpp",  # K130 comes first
    "P104": "tests/errors/test_foreign_package.py",  # what is installed
    "P105": "tests/errors/test_foreign_package.py",
    "R113": "src/apis/rules_test.cpp",  # addresses in kernels count whole elements
    "T000": "tests/errors/test_reports.py",  # our own faults
}


def programs_of(cell: str) -> list:
    """The wrong or right program of every example that is a program."""
    return [
        pytest.param(code, cell, marks=[pytest.mark.torch] if code == "K127" else [], id=code) for code in CODES if code not in ELSEWHERE
    ]


def message_of(program: Path, code: str) -> str:
    """What a program ends with, or warns of: nothing but that code."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            runpy.run_path(str(program), run_name="__main__")
        except PyascError as error:
            assert not caught
            assert {diagnostic.code for diagnostic in error.diagnostics} == {code}, error
            text = str(error)
        else:
            caught = [warning for warning in caught if issubclass(warning.category, PyascWarning)]  # Python warns of some, too
            assert len(caught) == 1, f"{len(caught)} warnings and no error"
            text = str(caught[0].message)
    assert f"[{code}]" in text
    text = re.sub(r"\bfill-[0-9a-f]{12}\b", "fill-DIGEST", text)  # C203: of the kernel and its path
    return re.sub(r"--> \S*?/(?=(?:programs/)?\w+\.py:)", "--> ", text)


@pytest.fixture
def write_program(tmp_path, monkeypatch):
    """Writes one of the two programs of an example; what it does to folder and environment is undone."""
    monkeypatch.chdir(tmp_path)

    def write(code: str, cell: str) -> Path:
        if code == "K127":
            pytest.importorskip("torch")
        example = explained.example(code)
        path = tmp_path / f"{code}.py"
        path.write_text(example.program(getattr(example, cell)) + "\n", encoding="utf-8")
        return path

    with mock.patch.dict(os.environ):
        yield write


@pytest.mark.parametrize(("code", "cell"), programs_of("wrong"))
def test_wrong(code, cell, write_program, golden):
    text = message_of(write_program(code, cell), code)
    assert "\nhelp: " in text or code in ("L205", "M206")  # assertions, in the words of the kernel
    golden(HERE / "expected" / f"{code}.txt", text)


@pytest.mark.parametrize(("code", "cell"), programs_of("right"))
def test_right(code, cell, write_program):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        runpy.run_path(str(write_program(code, cell)), run_name="__main__")


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_program(program, golden):
    golden(HERE / "expected" / f"{program.stem}.txt", message_of(program, program.stem.split("_")[0]))


def test_every_code_has_an_example():
    assert explained.FOLDER != HERE.parents[1] / "python" / "pyasc" / "explained", "this is to be about what is installed"
    assert {path.stem for path in explained.FOLDER.glob("[A-Z]*.py")} == set(CODES)


@pytest.mark.parametrize("code", ELSEWHERE)
def test_what_is_no_program(code):
    """Comments only, so that nobody takes it for a program that was tried."""
    example = explained.example(code)
    text = "\n".join([example.shared, example.wrong.text, example.right.text])
    assert all(line.startswith("#") for line in text.split("\n") if line)
    assert code in (HERE.parents[1] / ELSEWHERE[code]).read_text()


def test_no_expected_text_is_left_over():
    shown = {program.stem for program in PROGRAMS} | set(CODES)
    assert {path.stem for path in (HERE / "expected").glob("*.txt")} <= shown


def test_the_index_explains_every_code():
    assert len({code for code, _, _ in codes()}) == len(codes())
    assert all(re.fullmatch(r"[CKLMPQRST]\d{3}", code) and title and len(text) > 20 for code, title, text in codes())
