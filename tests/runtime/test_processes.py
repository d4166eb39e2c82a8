# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kernels in other processes: pickled by name, after a fork, in pools of every kind.
import concurrent.futures
import copy
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading

import asc
import numpy as np
import pytest
import runtime_kernels
from pyasc.errors import PyascError
from runtime_kernels import add, static, store
from runtime_kernels import copy as copy_kernel


def test_a_kernel_is_pickled_by_its_name():
    assert pickle.loads(pickle.dumps(store)) is store
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps({"kernel": [store, add]}, protocol)) == {"kernel": [store, add]}


def test_options_are_pickled():
    kernel = pickle.loads(pickle.dumps(store.options(check=False, threads=3)))
    assert kernel.fn is store.fn and kernel.given_options == {"check": False, "threads": 3}
    out = np.zeros(1, np.int32)
    kernel[1](out, 7)
    assert out[0] == 7


def test_a_launcher_is_pickled():
    launcher = pickle.loads(pickle.dumps(add[3]))
    assert launcher.kernel is add and launcher.cores == 3 and launcher.stream is None


class Scale:
    def __init__(self, factor):
        self.factor = factor

    @asc.jit
    def kernel(self, dst: asc.GlobalAddress, n: int):
        out = asc.GlobalTensor()
        out.set_global_buffer(dst, 1)
        out.set_value(0, n * self.factor)


def test_methods_are_pickled():
    scale, out = Scale(3), np.zeros(1, np.int32)
    for launch in pickle.loads(pickle.dumps((scale.kernel[1], Scale(3).kernel.options(check=False)[1]))):
        out[0] = 0
        launch(out, 5)
        assert out[0] == 15


class Kind:
    factor = 4

    @classmethod
    @asc.jit
    def kernel(cls, dst: asc.GlobalAddress, n: int):
        out = asc.GlobalTensor()
        out.set_global_buffer(dst, 1)
        out.set_value(0, n * cls.factor)


def test_class_methods_are_pickled():
    out = np.zeros(1, np.int32)
    for launch in pickle.loads(pickle.dumps((Kind.kernel[1], Kind().kernel[1], Kind.kernel.options(check=False)[1]))):
        out[0] = 0
        launch(out, 5)
        assert out[0] == 20


def test_copies_are_the_kernel():
    assert copy.copy(store) is store and copy.deepcopy(store) is store
    assert copy.deepcopy({"kernel": store})["kernel"] is store


def local_kernel():
    @asc.jit
    def kernel(dst: asc.GlobalAddress):
        pass

    return kernel


def test_what_cannot_be_found_by_name():
    with pytest.raises(PyascError) as caught:
        pickle.dumps(local_kernel())
    assert caught.value.code == "K152"
    assert caught.value.diagnostics[0].span.file == __file__


def test_a_name_that_is_another_kernel(monkeypatch):
    kernel = runtime_kernels.store
    monkeypatch.setattr(runtime_kernels, "store", runtime_kernels.add)
    with pytest.raises(PyascError) as caught:
        pickle.dumps(kernel)
    assert caught.value.code == "K152"


def work(kernel, n):
    """What a process of a pool does."""
    x, z = np.full(64 * n, n, np.float32), np.zeros(64 * n, np.float32)
    kernel[1](x, x, z, 64 * n)
    return z.sum(), os.getpid()


@pytest.mark.parametrize("method", ["spawn", "fork", "forkserver"])
def test_pools(method):
    work(add, 2)  # threads and caches of this process exist
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        for n, (total, pid) in enumerate(pool.map(work, [add, add.options(check=False)] * 3, range(1, 7)), 1):
            assert total == 64 * n * 2 * n and pid != os.getpid()


def run(source, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(source))
    done = subprocess.run([sys.executable, "-W", "ignore", str(script)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


HEAD = """
import os, sys, threading
import asc
import numpy as np

@asc.jit
def fill(x: asc.GlobalAddress, value: float, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + asc.get_block_idx() * n, n)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, n)
    asc.duplicate(tile, value, n)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, tile, n)

def launch(value):
    x = np.zeros(16 * 1024, np.float32)
    fill.options(threads=4)[16](x, value, 1024)
    assert (x == value).all()

def wait_for(child):
    _, status = os.waitpid(child, 0)
    assert status == 0, status
"""


def test_a_child_of_a_fork_launches(tmp_path):
    """The threads of the simulator stay with the parent; the child makes its own, and so does its child."""
    source = """
    launch(1.0)
    if (child := os.fork()) == 0:
        launch(2.0)
        if (grandchild := os.fork()) == 0:
            launch(3.0)
            fill.options(arithmetic="python").compile(np.zeros(1, np.float32), 1.0, 8)  # the compiler works too
            os._exit(0)
        wait_for(grandchild)
        os._exit(0)
    launch(4.0)
    wait_for(child)
    print("right")
    """
    assert run(HEAD + textwrap.dedent(source), tmp_path) == "right\n"


def test_forks_while_other_threads_launch(tmp_path):
    """The child is forked at any moment of launches on other threads, with the locks they hold then."""
    source = """
    stop = threading.Event()
    def work(value):
        while not stop.is_set():
            launch(value)
    threads = [threading.Thread(target=work, args=(float(i + 1),)) for i in range(3)]
    for thread in threads:
        thread.start()
    for i in range(25):
        if (child := os.fork()) == 0:
            launch(50.0 + i)
            os._exit(0)
        wait_for(child)
    stop.set()
    for thread in threads:
        thread.join()
    print("right")
    """
    assert run(HEAD + textwrap.dedent(source), tmp_path) == "right\n"


def test_ctrl_c_in_a_child_of_a_fork():
    """Forked on another thread than the main one: in the child it is the main one."""
    if os.environ.get("ASAN_OPTIONS"):
        pytest.skip("the sanitizer's own threads do not survive a fork")
    status = []

    def fork():
        child = os.fork()
        if child == 0:
            code = 1
            try:
                signal.signal(signal.SIGINT, signal.default_int_handler)
                threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
                runtime_kernels.endless[1](np.zeros(1, np.int32))
            except KeyboardInterrupt:
                code = 0
            finally:
                os._exit(code)
        status.append(os.waitpid(child, 0)[1])

    thread = threading.Thread(target=fork)
    thread.start()
    thread.join(60)
    assert status == [0]


def test_static_kernels_in_a_pool():
    """A kernel that is a static argument of another process, and one of its results."""
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(copy.copy, static).result() is static
        assert pool.submit(pickle.dumps, copy_kernel).result() == pickle.dumps(copy_kernel)
