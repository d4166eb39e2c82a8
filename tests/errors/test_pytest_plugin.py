# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The plug-in for pytest: tests of a user's suite, run in a process of their own.
import pytest

KERNELS = """
import asc
import numpy as np
import pytest
from pyasc import errors


@asc.jit(check=False)
def racy(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.adds(tile, tile, 1.0, 64)


@asc.jit
def clean(x: asc.GlobalAddress):
    pass


def launch(kernel=racy):
    kernel[1](np.zeros(64, np.float32))


def swallow():
    try:
        launch()
    except errors.CheckError:
        pass

"""
TESTS = """
def test_clean(): launch(clean)

def test_uncaught(): launch()

def test_swallowed(): swallow()

def test_raises():
    with pytest.raises(errors.CheckError): launch()

@pytest.mark.pyasc_findings("S301")
def test_expected():
    with pytest.raises(errors.CheckError): launch()

@pytest.mark.pyasc_findings
def test_expects_any(): swallow()

@pytest.mark.pyasc_findings("M301", "S302")
def test_expects_others(): swallow()

@pytest.mark.pyasc_findings("S301")
def test_expects_in_vain(): launch(clean)

@pytest.fixture
def fixture(): swallow()

def test_with_fixture(fixture): pass

@pytest.mark.pyasc_findings("S301")
def test_expects_of_fixture(fixture): pass

@pytest.mark.xfail(raises=errors.CheckError, strict=True)
def test_xfail(): launch()

@pytest.fixture
def late():
    yield
    swallow()

def test_teardown(late): pass

def test_skipped(): pytest.skip("for a reason")

def test_skipped_after_findings():
    swallow()
    pytest.skip("for a reason")
"""


@pytest.fixture
def suite(pytester):
    """Runs a test file: suite(text, arguments of pytest) gives the result and the outcomes by name."""

    def suite(text: str, *arguments: str, ini: str = ""):
        pytester.makepyfile(test_it=text)
        pytester.makeini(f"[pytest]\naddopts = --strict-markers\n{ini}\n")
        result = pytester.runpytest_subprocess("-rA", "-p", "no:cacheprovider", *arguments)
        lines = [line.split() for line in result.outlines if " test_it.py::" in line]
        return result, {words[1].partition("::")[2]: words[0] for words in lines}

    return suite


def test_outcomes(suite):
    result, outcomes = suite(KERNELS + TESTS, "--pyasc-check=all")
    failed = {
        "test_uncaught",
        "test_swallowed",
        "test_raises",
        "test_expects_others",
        "test_expects_in_vain",
        "test_skipped_after_findings",
    }
    assert {name for name, outcome in outcomes.items() if outcome == "FAILED"} == failed
    assert {name for name, outcome in outcomes.items() if outcome == "ERROR"} == {"test_with_fixture", "test_teardown"}
    assert outcomes["test_xfail"] == "XFAIL"
    result.assert_outcomes(passed=5, failed=6, errors=2, xfailed=1, skipped=1)
    text = result.stdout.str()
    assert "a test that is meant to have findings is marked @pytest.mark.pyasc_findings('S301')" in text
    assert "no launch had findings; the test expects S301" in text and "asc.data_copy(tile, x_gm, 64)" in text


def test_without_the_option_nothing_is_different(suite):
    """Here racy is not checked at all, so that pytest.raises is what fails."""
    _, outcomes = suite(KERNELS + TESTS)
    assert {name for name, outcome in outcomes.items() if outcome == "FAILED"} == {"test_raises", "test_expected", "test_xfail"}


def test_ini_option_and_names(suite):
    swallowed = KERNELS + "def test(): swallow()\n"
    for ini, arguments, outcome in [
        ("pyasc_check = all", (), "FAILED"),
        ("pyasc_check = all", ("--pyasc-check=none",), "PASSED"),
        ("pyasc_check = flags, races", (), "FAILED"),
        ("pyasc_check = races", ("--pyasc-check=flags",), "PASSED"),
    ]:
        assert suite(swallowed, *arguments, ini=ini)[1] == {"test": outcome}


def test_a_test_that_forces_other_checks_is_the_only_one(suite):
    forces = "import pyasc.checks\ndef test_forces(): pyasc.checks.force(False); launch()\ndef test_next(): launch()\n"
    assert suite(KERNELS + forces, "--pyasc-check=all")[1] == {"test_forces": "PASSED", "test_next": "FAILED"}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--pyasc-check=rases"], "did you mean 'races'?"),
        (["--pyasc-check=all", "--pyasc-seed=-1"], "seed: got -1, expected a number from 0 to 2**32 - 1"),
    ],
)
def test_wrong_arguments(suite, arguments, expected):
    result, _ = suite(KERNELS, *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    text = result.stderr.str()
    assert expected in text and "Traceback" not in text


SEEDED = """
@asc.jit
def last(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 16)
    x_gm.set_value(0, asc.get_block_idx())

@pytest.mark.pyasc_findings
def test():
    x = np.zeros(16, np.int64)
    with pytest.raises(errors.CheckError): last[8](x)
    print("the last one was", x[0])
"""


def test_seed_of_the_adversarial_mode(suite):
    """Which block stores last depends on the seed."""
    lines = []
    for seed in ("1", "2"):
        result, outcomes = suite(KERNELS + SEEDED, "--pyasc-check=adversarial", f"--pyasc-seed={seed}")
        assert outcomes == {"test": "PASSED"}
        lines += [line for line in result.outlines if line.startswith("the last one was")]
    assert len(lines) == 2 and lines[0] != lines[1]


def test_nothing_of_pyasc_is_imported_without_the_option(suite):
    _, outcomes = suite("import sys\ndef test(): assert not {'asc', 'pyasc', 'numpy'} & set(sys.modules)\n")
    assert outcomes == {"test": "PASSED"}


def test_in_several_processes(suite):
    _, outcomes = suite(KERNELS + "def test(): swallow()\ndef test_clean(): launch(clean)\n", "--pyasc-check=all", "-n2")
    assert outcomes == {"test": "FAILED", "test_clean": "PASSED"}
