# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# set_log_level and LOG_LEVEL, each in a process of its own.
import os
import subprocess
import sys

import pytest

PROGRAM = """
import asc, numpy as np, pyasc
{first}
kernel, stream = pyasc.Kernel("relu_kernel"), pyasc.Stream()
kernel.set_input(0, np.ones(10, np.float32))
kernel.set_output(0, np.zeros(10, np.float32))
stream.launch(kernel)
stream.launch(kernel)
stream.synchronize()

@asc.jit
def direct(x: asc.GlobalAddress):
    out = asc.GlobalTensor()
    out.set_global_buffer(x, 1)
    out.set_value(0, 1)

direct[1](np.zeros(1, np.float32))
{last}
"""


def run(tmp_path, first="", last="", **environment):
    script = tmp_path / "script.py"
    script.write_text(PROGRAM.format(first=first, last=last))
    variables = {key: value for key, value in os.environ.items() if key != "LOG_LEVEL"} | environment
    return subprocess.run([sys.executable, script], env=variables, capture_output=True, text=True, timeout=60, check=True).stderr


@pytest.mark.parametrize("how", [{"first": "pyasc.set_log_level('debug')"}, {"LOG_LEVEL": "DEBUG"}], ids=["call", "environment"])
def test_debug(tmp_path, how):
    text = run(tmp_path, **how)
    assert text.count("kernel 'relu_kernel' for Ascend910B1: IR") == 1  # once, though launched twice
    assert "AscendC::Relu(" in text and "asc.relu" in text
    assert "kernel 'direct' for Ascend910B1: IR" in text and "void direct(GM_ADDR x)" in text
    assert text.count("pyasc: kernel 'relu_kernel': ") == 2 and " cycles, " in text


def test_info(tmp_path):
    text = run(tmp_path, "pyasc.set_log_level('INFO')")
    assert text.count("pyasc: kernel 'relu_kernel': ") == 2 and "AscendC" not in text


@pytest.mark.parametrize("level", ["WARNING", "error", ""])
def test_quiet(tmp_path, level):
    assert run(tmp_path, LOG_LEVEL=level) == ""


def test_down_again(tmp_path):
    assert run(tmp_path, "pyasc.set_log_level('DEBUG'); pyasc.set_log_level('ERROR')") == ""


def test_the_programs_own_handlers(tmp_path):
    text = run(tmp_path, "import logging; logging.basicConfig(format='mine %(name)s: %(message)s'); pyasc.set_log_level('INFO')")
    assert text.count("mine pyasc: kernel 'relu_kernel'") == 2 and text.count("relu_kernel") == 2


def test_a_level_of_another_program(tmp_path):
    assert "K171" in run(tmp_path, LOG_LEVEL="trace")
