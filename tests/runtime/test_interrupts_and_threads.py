# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Ctrl-C, the limit of simulated time, and launches from many threads.
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from pyasc.errors import CheckError
from runtime_kernels import add, count, endless


@pytest.mark.parametrize("check", [True, False])
def test_limit_of_simulated_time(check):
    with pytest.raises(CheckError) as caught:
        endless.options(max_cycles=100_000, check=check)[1](np.zeros(1, np.int32))
    assert caught.value.code == "M204"


def test_ctrl_c_stops_a_simulation():
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        endless[1](np.zeros(1, np.int32))
    assert 0.2 < time.perf_counter() - start < 5
    x, z = np.ones(32, np.float32), np.zeros(32, np.float32)
    add[1](x, x, z, 32)  # the next launch is not interrupted
    assert (z == 2).all()


def test_ctrl_c_in_a_process_of_its_own(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            import asc
            import numpy as np

            @asc.jit
            def kernel(dst: asc.GlobalAddress):
                i = 0
                while i >= 0:
                    i = 1 - i
                out = asc.GlobalTensor()
                out.set_global_buffer(dst, 1)
                out.set_value(0, i)

            print("ready", flush=True)
            kernel[4](np.zeros(1, np.int32))
            """
        )
    )
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors


def test_own_signal_handlers_still_run():
    seen = []
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            endless[1](np.zeros(1, np.int32))
        assert seen == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


def test_threads_launch_at_the_same_time():
    """Results, and the last launch of each thread, do not mix."""

    def work(number):
        x = np.full(64 * (number + 1), number, np.float32)
        for _ in range(50):
            z = np.zeros_like(x)
            add[1](x, x, z, x.size)
            assert (z == 2 * number).all()
            assert add.last_launch.gm_written_bytes == x.nbytes
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_other_threads_run_during_a_simulation():
    ticks, done = 0, threading.Event()

    def tick():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    out = np.zeros(1, np.int32)
    start = time.perf_counter()
    count[1](out, 3_000_000)
    elapsed = time.perf_counter() - start
    done.set()
    thread.join()
    assert ticks > elapsed / 0.005 / 10


def test_a_launch_from_within_a_warning_hook():
    """A launch that happens inside another launch: here from the hook that shows the warning about a copied array."""
    x, inner = np.ones(32, np.float32), np.zeros(32, np.float32)
    z = np.zeros((32, 2), np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda *_, **__: add[1](x, x, inner, 32)
        add[1](x, x, z[:, 0], 32)
    assert (inner == 2).all() and (z[:, 0] == 2).all()
