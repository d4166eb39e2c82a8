# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One small program per kind of mistake: programs/<code>_<what>.py ends in that code, with exactly the text of expected/<code>_<what>.txt.
# `pytest tests/errors --update-golden` rewrites the texts.
import re
import runpy
import warnings
from pathlib import Path

import pytest
from pyasc.errors import PyascError

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_program(program, golden):
    code = program.stem.split("_")[0]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            runpy.run_path(str(program))
        except PyascError as error:
            assert error.diagnostics[0].code == code, error
            text = str(error)
        else:
            assert len(caught) == 1, f"{len(caught)} warnings and no error"
            text = str(caught[0].message)
    assert code in text
    golden(HERE / "expected" / f"{program.stem}.txt", re.sub(r"--> \S*/programs/", "--> programs/", text))


# Codes that no single kernel can show, and the test that does.
ELSEWHERE = {
    "C101": "src/isa/text_test.cpp",
    "C102": "src/isa/text_test.cpp",
    "C103": "src/isa/text_test.cpp",
    "C104": "src/isa/text_test.cpp",
    "C201": "tests/errors/test_cache_files.py",
    "C202": "tests/errors/test_cache_files.py",
    "C203": "tests/errors/test_cache_files.py",
    "K127": "tests/errors/test_torch.py",
    "M102": "src/sim/simulator_test.cpp",  # K130 comes first
    "P104": "tests/errors/test_foreign_package.py",
    "P105": "tests/errors/test_foreign_package.py",
    "R113": "src/apis/rules_test.cpp",  # addresses in kernels count whole elements
}


def test_every_code_is_shown():
    from pyasc._core import codes

    shown = {program.stem.split("_")[0] for program in PROGRAMS}
    assert all(code in (HERE.parents[1] / file).read_text() for code, file in ELSEWHERE.items())
    index = {code for code, _, _ in codes()} - {"T000"}  # our own faults have no program
    assert shown | set(ELSEWHERE) == index


def test_the_index_explains_every_code():
    from pyasc._core import codes

    assert len({code for code, _, _ in codes()}) == len(codes())
    assert all(re.fullmatch(r"[CKLMPQRST]\d{3}", code) and title and len(text) > 20 for code, title, text in codes())
