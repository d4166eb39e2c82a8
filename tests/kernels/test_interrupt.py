# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Ctrl-C stops a simulation, and the process goes on.
import signal
import subprocess
import sys
import time

import pytest

SCRIPT = """
import asc
import numpy as np


@asc.jit(max_cycles=1 << 60, check={check})
def endless(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    while n > 0:
        asc.duplicate(tile, 0.0, 64)


print("start", flush=True)
try:
    endless[{blocks}](np.zeros(64, np.float32), 1)
except KeyboardInterrupt:
    print("stopped", flush=True)
print("on", flush=True)
"""


@pytest.mark.parametrize("blocks", [1, 5])
@pytest.mark.parametrize("check", [True, False], ids=["check", "no_check"])
def test_interrupt(tmp_path, check, blocks):
    path = tmp_path / "kernel.py"
    path.write_text(SCRIPT.format(check=check, blocks=blocks))
    process = subprocess.Popen([sys.executable, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "start\n", process.stderr.read()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=20)
    finally:
        process.kill()
    assert (output, process.returncode) == ("stopped\non\n", 0), errors
