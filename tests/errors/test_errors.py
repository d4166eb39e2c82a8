# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One small program per kind of mistake: programs/<code>_<what>.py ends in that code, with exactly the text of expected/<code>_<what>.txt.
# `pytest tests/errors --update-golden` rewrites the texts.
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
    golden(HERE / "expected" / f"{program.stem}.txt", text.replace(str(program.parent), "programs"))
