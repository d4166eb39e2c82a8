# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Streams: order, overlap, errors with the line of the launch, events and simulated time, Ctrl-C, the end of the process, forks.
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import asc
import numpy as np
import pyasc
import pytest
from host_kernels import append, count_to
from pyasc.errors import CheckError, CodegenError, LaunchError
from pyasc.stream import Launch

LONG = 300_000  # turns of count_to: about 10 ms


def kernel_of(name, output, *inputs, **attributes):
    kernel = pyasc.Kernel(name)
    for number, value in enumerate(inputs):
        kernel.set_input(number, value)
    kernel.set_output(0, output)
    for key, value in attributes.items():
        kernel.set_attr(key, value)
    return kernel


def counting(n=LONG):
    return kernel_of("count_to", pyasc.Tensor(1, pyasc.int32), n=n)


def test_order_within_a_stream():
    stream, number = pyasc.Stream(), pyasc.from_numpy(np.array([7], np.int64))
    kernel = kernel_of("append", number, number)
    for digit in (1, 2, 3, 4, 5):
        kernel.set_attr("digit", digit)  # each launch has taken its own
        stream.launch(kernel)
    stream.synchronize()
    assert number.to_numpy()[0] == 712345


def test_launch_does_not_wait():
    stream, out = pyasc.Stream(), pyasc.Tensor(1, pyasc.int32)
    stream.launch(kernel_of("count_to", out, n=1))
    stream.synchronize()
    event = stream.record()
    for _ in range(5):
        stream.launch(kernel_of("count_to", out, n=LONG))
    event.synchronize()
    assert not stream.query() and event.query() and "to go" in repr(stream)
    assert out.to_numpy()[0] == sum(range(LONG)) % 1000003  # waits
    stream.synchronize()
    assert stream.query() and repr(stream) == "<pyasc.Stream, 0 steps to go>"


class Timed:
    """A kernel that notes when it ran."""

    def __init__(self, kernel):
        self.kernel, self.times = kernel, []

    def prepare(self):
        launch = self.kernel.prepare()

        def call():
            start = time.perf_counter()
            result = launch.call()
            self.times.append((start, time.perf_counter()))
            return result

        return Launch(launch.name, call, launch.outputs)


def test_streams_overlap():
    """Both run at the same time: neither begins when the other is over."""
    kernels, streams = [Timed(counting(1)) for _ in range(2)], [pyasc.Stream() for _ in range(2)]
    for stream, kernel in zip(streams, kernels, strict=True):
        stream.launch(kernel)
        stream.synchronize()
    for kernel in kernels:
        kernel.kernel = counting(3_000_000)
    for stream, kernel in zip(streams, kernels, strict=True):
        stream.launch(kernel)
    for stream in streams:
        stream.synchronize()
    (a, b), (c, d) = (kernel.times[-1] for kernel in kernels)
    assert a < d and c < b


def test_python_runs_beside_a_stream():
    stream, ticks = pyasc.Stream(), 0
    stream.launch(counting(3_000_000))
    start = time.perf_counter()
    while not stream.query():
        ticks += 1
        time.sleep(0.002)
    assert ticks > (time.perf_counter() - start) / 0.002 / 10


def test_arguments_are_kept_alive():
    stream, out, other = pyasc.Stream(), pyasc.Tensor(1, pyasc.int32), pyasc.Stream()
    other.launch(kernel_of("endless", pyasc.Tensor(1, pyasc.int32)))
    stream.wait(other.record())
    x = pyasc.from_numpy(np.array([4], np.int32))
    alive = weakref.ref(x._array)
    stream.launch(kernel_of("append", out, x, digit=2))
    del x
    gc.collect()
    assert alive() is not None
    other.cancel()
    stream.synchronize()
    gc.collect()
    assert out.to_numpy()[0] == 42 and alive() is None


def test_a_stream_that_is_dropped_does_its_work():
    out = pyasc.Tensor(1, pyasc.int32)
    pyasc.Stream().launch(kernel_of("count_to", out, n=LONG))
    gc.collect()
    assert out.to_numpy()[0] == sum(range(LONG)) % 1000003


def test_threads_end_with_their_streams():
    before = threading.active_count()
    streams = [pyasc.Stream() for _ in range(10)]
    for stream in streams:
        stream.launch(counting(1))
        stream.synchronize()
    del stream, streams
    gc.collect()
    deadline = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() <= before


def test_many_threads_use_one_stream():
    stream, outs = pyasc.Stream(), [pyasc.Tensor(1, pyasc.int32) for _ in range(80)]

    def work(first):
        for number in range(first, first + 10):
            stream.launch(kernel_of("append", outs[number], np.array([number], np.int32), digit=5))

    threads = [threading.Thread(target=work, args=(first,)) for first in range(0, 80, 10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stream.synchronize()
    assert [out.to_numpy()[0] for out in outs] == [10 * number + 5 for number in range(80)]


# ---------------------------------------------------------------- errors


def line_of(text):
    return next(number for number, line in enumerate(Path(__file__).read_text().splitlines(), 1) if line.endswith(f"# {text}"))


def test_error_at_synchronize():
    stream, out = pyasc.Stream(), pyasc.Tensor(1, pyasc.int32)
    stream.launch(kernel_of("beyond", pyasc.Tensor(1, pyasc.int32)))  # the launch that fails
    stream.launch(kernel_of("append", out, np.array([1], np.int32)))
    stream.launch(kernel_of("append", out, np.array([1], np.int32)))
    with pytest.raises(CheckError) as caught:
        stream.synchronize()
    assert caught.value.code == "M101"
    note = caught.value.diagnostics[0].notes[-1]
    assert note.text == "kernel 'beyond' was launched here" and note.span.line == line_of("the launch that fails")
    assert Path(note.span.file).name == "test_streams.py" and "was launched here" in str(caught.value)
    assert caught.value.__notes__ == ["2 launches behind it in the stream did not run"]
    with pytest.raises(CheckError):  # of the launch that should have written it
        out.to_numpy()
    stream.synchronize()  # it was raised
    stream.launch(kernel_of("append", out, np.array([1], np.int32)))
    stream.synchronize()
    assert out.to_numpy()[0] == 10


def test_error_of_the_compiler():
    stream = pyasc.Stream()
    stream.launch(kernel_of("untranslatable", pyasc.Tensor(1, pyasc.int32)))
    with pytest.raises(CodegenError) as caught:
        stream.synchronize()
    assert caught.value.code == "L102" and "untranslatable" in caught.value.diagnostics[0].notes[-1].text


def test_reading_what_a_failed_launch_writes():
    stream, out = pyasc.Stream(), pyasc.Tensor(1, pyasc.int32)
    stream.launch(kernel_of("beyond", out))
    with pytest.raises(CheckError):
        out.to_numpy()
    with pytest.raises(CheckError):
        stream.synchronize()


def test_an_error_that_is_not_ours():
    def call():
        raise ZeroDivisionError("ours")

    class Odd:
        def prepare(self):
            return Launch("odd", call, [])

    stream = pyasc.Stream()
    stream.launch(Odd())
    with pytest.raises(ZeroDivisionError) as caught:
        stream.synchronize()
    assert "in the launch of kernel 'odd' at" in caught.value.__notes__[0]


def test_what_cannot_be_launched():
    for wrong in (count_to, "count_to", None):
        with pytest.raises(LaunchError) as caught:
            pyasc.Stream().launch(wrong)
        assert caught.value.code == "K168"


# ---------------------------------------------------------------- @asc.jit kernels in the brackets


def test_brackets_with_tensors_return_at_once():
    stream, x, out = pyasc.Stream(), pyasc.from_numpy(np.array([3], np.int32)), pyasc.Tensor(1, pyasc.int32)
    stream.launch(counting())
    append[1, stream](x, z=out, digit=1)
    append[1, stream](out, out, 2)
    stream.synchronize()
    assert out.to_numpy()[0] == 312


def test_brackets_with_arrays_wait():
    stream, out = pyasc.Stream(), np.zeros(1, np.int32)
    count_to[1, stream](out, LONG)
    assert out[0] == sum(range(LONG)) % 1000003 and stream.query()


def test_brackets_fail_at_synchronize():
    stream = pyasc.Stream()
    append[1, stream](pyasc.Tensor(1, pyasc.int32), 1, 2)  # the call that fails
    with pytest.raises(CodegenError) as caught:
        stream.synchronize()
    assert caught.value.diagnostics[0].notes[-1].span.line == line_of("the call that fails")


# ---------------------------------------------------------------- events


def cycles_of(n):
    count_to[1](np.zeros(1, np.int32), n)
    return count_to.last_launch.cycles, count_to.last_launch.microseconds


def test_elapsed_simulated_time():
    stream = pyasc.Stream()
    start = stream.record()
    stream.launch(counting(1000))
    middle = stream.record()
    stream.launch(counting(2000))
    end = pyasc.Event()
    assert stream.record(end) is end
    first, second = cycles_of(1000), cycles_of(2000)
    assert start.elapsed_cycles(middle) == first[0] and middle.elapsed_cycles(end) == second[0]
    assert start.elapsed_us(end) == pytest.approx(first[1] + second[1]) and end.elapsed_us(start) == -start.elapsed_us(end)
    mhz = 1850  # of the Ascend910B1
    assert start.elapsed_us(end) == pytest.approx(start.elapsed_cycles(end) / mhz)
    end.synchronize()
    assert end.query()


def test_a_stream_waits_for_another():
    one, other, number = pyasc.Stream(), pyasc.Stream(), pyasc.from_numpy(np.array([0], np.int64))
    for digit in (1, 2, 3):
        one.launch(counting())
        one.launch(kernel_of("append", number, number, digit=digit))
    event = one.record()
    other.wait(event)
    other.launch(kernel_of("append", number, number, digit=4))
    other.launch(counting(1000))
    end = other.record()
    other.synchronize()
    assert number.to_numpy()[0] == 1234 and one.query()
    assert event.elapsed_cycles(end) > cycles_of(1000)[0]  # its clock was moved on


def test_an_event_recorded_again():
    """It is another place: what happens at the first one is none of its business any more."""
    busy, idle, waiting = pyasc.Stream(), pyasc.Stream(), pyasc.Stream()
    zero, event, end = idle.record(), pyasc.Event(), pyasc.Event()
    busy.launch(counting(3_000_000))
    busy.record(event)
    waiting.wait(event)
    assert idle.record(event) is event
    assert zero.elapsed_cycles(event) == 0
    waiting.record(end)
    busy.synchronize()
    assert zero.elapsed_cycles(event) == 0 and zero.elapsed_us(event) == 0
    assert zero.elapsed_cycles(end) == cycles_of(3_000_000)[0]


def test_events_that_were_not_recorded():
    stream, event, recorded = pyasc.Stream(), pyasc.Event(), pyasc.Stream().record()
    assert not event.query()
    for action in (
        event.synchronize,
        lambda: stream.wait(event),
        lambda: recorded.elapsed_us(event),
        lambda: event.elapsed_cycles(recorded),
    ):
        with pytest.raises(LaunchError) as caught:
            action()
        assert caught.value.code == "K170"
    for action in (lambda: stream.wait(3), lambda: stream.record(3), lambda: recorded.elapsed_us(None)):
        with pytest.raises(LaunchError) as caught:
            action()
        assert caught.value.code == "K168"


# ---------------------------------------------------------------- Ctrl-C, the end of the process, forks


def test_ctrl_c_stops_the_stream():
    stream, out = pyasc.Stream(), pyasc.Tensor(1, pyasc.int32)
    stream.launch(kernel_of("endless", pyasc.Tensor(1, pyasc.int32)))
    stream.launch(kernel_of("append", out, np.array([1], np.int32)))
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        stream.synchronize()
    assert 0.2 < time.perf_counter() - start < 5 and stream.query()
    stream.synchronize()
    with pytest.raises(LaunchError) as caught:  # dropped
        out.to_numpy()
    assert caught.value.code == "K172"
    stream.launch(kernel_of("append", out, np.array([1], np.int32)))
    stream.synchronize()
    assert out.to_numpy()[0] == 10


def test_cancel():
    stream, out = pyasc.Stream(), pyasc.Tensor(1, pyasc.int32)
    stream.cancel()  # nothing to do
    for _ in range(3):
        stream.launch(kernel_of("endless", out))
    waiting = pyasc.Stream()
    waiting.wait(stream.record())
    waiting.cancel()
    assert waiting.query() and not stream.query()
    stream.cancel()
    assert stream.query()
    stream.synchronize()
    with pytest.raises(LaunchError) as caught:
        out.to_numpy()
    assert caught.value.code == "K172"
    stream.launch(kernel_of("count_to", out, n=10))
    assert out.to_numpy()[0] == 45


def test_ctrl_c_twice(monkeypatch):
    """The second one comes while the first one waits for what it stopped; the stream is as good as before."""
    stream, out, main = pyasc.Stream(), pyasc.Tensor(1, pyasc.int32), threading.current_thread()
    stream.launch(kernel_of("endless", pyasc.Tensor(1, pyasc.int32)))
    stream.launch(kernel_of("append", out, np.array([1], np.int32)))
    wait_for = pyasc.stream._changed.wait_for

    def interrupted(*arguments):
        if threading.current_thread() is main:
            raise KeyboardInterrupt
        return wait_for(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(pyasc.stream._changed, "wait_for", interrupted)
        with pytest.raises(KeyboardInterrupt):
            stream.synchronize()
    stream.launch(kernel_of("count_to", pyasc.Tensor(1, pyasc.int32), n=1))
    stream.synchronize()
    with pytest.raises(LaunchError, match="K172"):  # dropped all the same
        out.to_numpy()
    stream.launch(kernel_of("append", out, np.array([1], np.int32)))
    assert out.to_numpy()[0] == 10


def test_a_launch_while_another_thread_waits(monkeypatch):
    """What is launched between the end of the wait and its return is waited for by the next one."""
    stream, out, wait = pyasc.Stream(), pyasc.from_numpy(np.array([1], np.int32)), pyasc.stream.Work.wait

    def waited(work):
        wait(work)
        monkeypatch.undo()
        stream.launch(counting())
        stream.launch(kernel_of("append", out, np.array([1], np.int32)))

    stream.launch(kernel_of("append", out, np.array([2], np.int32)))
    monkeypatch.setattr(pyasc.stream.Work, "wait", waited)
    out.wait()
    assert out.to_numpy()[0] == 10


BEGIN = f"""
import sys, threading, time
sys.path.insert(0, {str(Path(__file__).parent)!r})
import asc, numpy as np, pyasc
import host_kernels

@pyasc.kernel("says", inputs=(), outputs=("out",), attributes={{"n": 1}}, tiling=lambda total: [1, 1, 1, 1])
@asc.jit
def says(out: asc.GlobalAddress, n: int):
    total = 0
    for i in range(n):
        total = (total + i) % 1000003
    asc.printf("%d turns", n)

def kernel(name, **attributes):
    made = pyasc.Kernel(name)
    made.set_output(0, pyasc.Tensor(1, pyasc.int32))
    for key, value in attributes.items():
        made.set_attr(key, value)
    return made

stream = pyasc.Stream()
"""


def run(tmp_path, program, **options):
    script = tmp_path / "script.py"
    script.write_text(BEGIN + program)
    start = time.perf_counter()
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60, **options)
    return done, time.perf_counter() - start


@pytest.mark.parametrize("end", ["", "sys.exit(3)", "del stream", "threading.Thread(target=time.sleep, args=(0.1,)).start()"])
def test_the_end_of_a_program_waits(tmp_path, end):
    done, _ = run(tmp_path, f"stream.launch(kernel('says', n={LONG}))\nstream.launch(kernel('says', n=1))\n{end}")
    assert f"{LONG} turns" in done.stdout and "1 turns" in done.stdout and not done.stderr
    assert done.returncode == (3 if "exit" in end else 0)


def test_the_end_of_a_program_shows_errors(tmp_path):
    done, _ = run(tmp_path, "stream.launch(kernel('beyond'))")
    assert "M101" in done.stderr and "was launched here" in done.stderr and "script.py" in done.stderr


def test_an_error_nobody_can_ask_for_is_shown(tmp_path):
    done, _ = run(tmp_path, "stream.launch(kernel('beyond'))\ndel stream\ntime.sleep(0.5)")
    assert done.stderr.count("error[M101]") == 1


def test_an_exception_cancels(tmp_path):
    done, seconds = run(tmp_path, "stream.launch(kernel('endless'))\nstream.launch(kernel('says'))\nraise ValueError('mine')")
    assert "ValueError: mine" in done.stderr and not done.stdout and seconds < 20 and done.returncode == 1


@pytest.mark.parametrize("wait", ["time.sleep(30)", "stream.synchronize()", ""], ids=["elsewhere", "waiting", "at the end"])
def test_ctrl_c_ends_a_program(tmp_path, wait):
    script = tmp_path / "script.py"
    script.write_text(f"{BEGIN}stream.launch(kernel('endless'))\nprint('ready', flush=True)\n{wait}")
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    if wait:
        assert "KeyboardInterrupt" in errors and process.returncode == -signal.SIGINT
    else:  # the program was over, but for what waits
        assert (process.returncode, errors) == (0, "")


def test_a_thread_that_cannot_start(monkeypatch):
    """The launch says so, and nothing waits for it; the next one works."""
    stream, other, out = pyasc.Stream(), pyasc.Stream(), pyasc.Tensor(1, pyasc.int32)

    def start(thread):
        event.append(stream.record())  # as another thread of the program may
        raise RuntimeError("can't start new thread")

    event = []
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", start)
        with pytest.raises(RuntimeError, match="can't start"):
            stream.launch(kernel_of("count_to", out, n=10))
    assert stream.query()
    with pytest.raises(LaunchError, match="K172"):
        event[0].synchronize()
    with pytest.raises(LaunchError, match="K172"):
        stream.synchronize()
    stream.synchronize()
    other.wait(event[0])
    stream.launch(kernel_of("count_to", out, n=10))
    assert out.to_numpy()[0] == 45
    other.synchronize()


def test_a_thread_that_starts_at_the_end_of_the_program(tmp_path):
    """While the program waits for one stream, a thread of its own uses others for the first time, and theirs are slow to start."""
    program = f"""
start = threading.Thread.start
def slow_start(thread):
    time.sleep(0.02)
    start(thread)

streams = [pyasc.Stream() for _ in range(40)]
def launch():
    time.sleep(0.3)
    for other in streams:
        other.launch(kernel("says", n=1))

threading.Thread(target=launch, daemon=True).start()
threading.Thread.start = slow_start
stream.launch(kernel("count_to", n={20 * LONG}))
"""
    done, _ = run(tmp_path, program)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_stream_that_is_used_when_all_are_over(tmp_path):
    """By what was to be done at the end of the program before there was pyasc: it runs, or Python has no more threads. No hang."""
    script = tmp_path / "script.py"
    late = "    stream.launch(kernel('says', n=2))\n    stream.synchronize()\n"
    script.write_text(f"import atexit\n@atexit.register\ndef late():\n{late}{BEGIN}stream.launch(kernel('says', n=1))\n")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert "1 turns" in done.stdout and ("2 turns" in done.stdout) != ("can't" in done.stderr), done.stderr


def test_streams_after_a_fork(tmp_path):
    program = """
import os
stream.launch(kernel("count_to", n=300000))
number = pyasc.from_numpy(np.array([1], np.int32))
child = os.fork()
again = pyasc.Kernel("append")
again.set_input(0, number)
again.set_output(0, number)
again.set_attr("digit", 7 if child == 0 else 9)
stream.launch(again)
stream.synchronize()
if child:  # the two do not print at the same time
    assert os.waitpid(child, 0)[1] == 0
print(number.to_numpy()[0], flush=True)
"""
    done, _ = run(tmp_path, program)
    assert sorted(done.stdout.split()) == ["17", "19"], done.stderr


def test_the_runtime_of_upstream_still_has_its_streams():
    out = np.zeros(1, np.int32)
    count_to[1, asc.lib.runtime.create_stream()](out, 10)
    assert out[0] == 45
