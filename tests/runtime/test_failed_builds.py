# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A kernel that does not compile: the same message at every call, nothing kept, and no harm to what compiles.
import os

import numpy as np
import pytest
from pyasc.errors import PyascError
from support.kernel_file import load

SOURCE = """
import asc

N = 1

@asc.jit
def helper(a):
    return a + N

@asc.jit
def kernel(dst: asc.GlobalAddress):
    out = asc.GlobalTensor()
    out.set_global_buffer(dst, 1)
    out.set_value(0, helper(1))
"""


def message(kernel, out):
    with pytest.raises(PyascError) as caught:
        kernel[1](out)
    return str(caught.value)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PYASC_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_the_message_stays_the_same(folder):
    module, out = load(SOURCE.replace("N = 1", "N = 'text'")), np.zeros(1, np.int32)
    first = message(module.kernel, out)
    assert "kernel.py:8:12" in first
    assert [message(module.kernel, out) for _ in range(3)] == [first] * 3
    assert not os.listdir(folder)
    assert out[0] == 0


def test_there_and_back(folder):
    module, out = load(SOURCE), np.zeros(1, np.int32)
    messages = []
    for value, expected in ((1, 2), ("text", None), (3, 4), ("text", None), (1, 2), ("text", None)):
        module.N = value
        if expected is None:
            messages.append(message(module.kernel, out))
        else:
            module.kernel[1](out)
            assert out[0] == expected
    assert messages == [messages[0]] * 3
    assert module.kernel.cache_info().memory_hits == 1  # the way back to 1
    assert len(list(folder.glob("*.entry"))) == 2


def test_a_cause_outside_of_python(folder):
    """What fails for a reason that goes away compiles when it has gone."""
    module, out = load(SOURCE), np.zeros(1, np.int32)
    good = open(module.__file__).read()
    with open(module.__file__, "w") as file:
        file.write(good.replace("a + N", "a - N"))
    first = message(module.kernel, out)
    assert "L502" in first and message(module.kernel, out) == first
    with open(module.__file__, "w") as file:
        file.write(good)
    os.utime(module.__file__, ns=(1, 1))
    module.kernel[1](out)
    assert out[0] == 2
