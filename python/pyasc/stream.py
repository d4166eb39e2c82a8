# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`Stream`: a queue of launches that run one after the other, beside those of other streams and beside the program; `Event`: a mark in one.

Each stream has a thread, whose launches leave Python's lock alone while the simulator runs. One condition guards all streams: what they do
with it takes microseconds, and there is one order of locks, none."""

from __future__ import annotations

import atexit
import os
import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from pyasc import _core, errors, log, profiler
from pyasc.tensor import Tensor, wrong_kind

_changed = threading.Condition()  # a reentrant lock: a Stream may go while a thread holds it


class Launch:
    """What a kernel and its arguments make of a launch: the name to show, the call that runs it, and the tensors that it writes."""

    __slots__ = ("call", "name", "outputs")

    def __init__(self, name: str, call: Callable[[], _core.LaunchResult | None], outputs: list[Tensor]) -> None:
        self.name, self.call, self.outputs = name, call, outputs


class Launchable(Protocol):
    def prepare(self) -> Launch: ...


class Work:
    """A step of a stream. The call is dropped when it is over, and with it the arguments that it keeps alive."""

    __slots__ = ("_queue", "call", "cycles", "error", "microseconds", "number")

    def __init__(self, queue: _Queue, call: Callable[[Work], None]) -> None:
        self._queue, self.call = queue, call
        self.error: BaseException | None = None
        self.number = 0
        self.cycles, self.microseconds = 0, 0.0  # of the simulated clock, where an event was recorded

    def is_over(self) -> bool:
        return self._queue.finished >= self.number

    def wait(self) -> None:
        self._queue.wait(self.number)
        if self.error is not None:
            raise self.error


class _Queue:
    """What a stream and its thread share; all of it is read and written under the condition, except by the thread that runs a step."""

    def __init__(self) -> None:
        self.steps: deque[Work] = deque()
        self.issued = self.finished = 0
        self.cycles, self.microseconds = 0, 0.0  # of the simulated clock
        self.failed: Work | None = None
        self.skipped = 0  # launches behind the failed one
        self.closed = False
        self.cancelled = 0  # number of the last step that is dropped or stopped
        self.interrupt = _core.Interrupt()
        self.thread: threading.Thread | None = None
        _queues.add(self)

    def add(self, call: Callable[[Work], None]) -> Work:
        step = Work(self, call)
        new_thread = None
        with _changed:
            self.issued += 1
            step.number = self.issued
            self.steps.append(step)
            if self.thread is None:
                self.thread = new_thread = threading.Thread(target=_serve, args=(self,), name="pyasc stream", daemon=True)
            _changed.notify_all()
        if new_thread is not None:  # its first allocation may collect another stream, whose end needs the condition
            try:
                new_thread.start()
            except BaseException:  # the system has no more threads, or Ctrl-C
                self.give_up(step)
                raise
        return step

    def give_up(self, first: Work) -> None:
        """Drops what waits, because no thread came to take the first step. One that comes after all sees that it is not wanted."""
        with _changed:
            if first not in self.steps:
                return  # it has come
            others = [step for step in self.steps if step is not first]
            for step in self.steps:
                step.error, step.call = _dropped(), _nothing
            self.failed = others[0] if others else None
            self.steps.clear()
            self.finished, self.thread = self.issued, None
            _changed.notify_all()

    def wait(self, number: int) -> None:
        """Until a step is over. Ctrl-C stops the stream."""
        try:
            with _changed:
                _changed.wait_for(lambda: self.finished >= number)
        except KeyboardInterrupt:
            self.cancel()
            raise

    def cancel(self) -> None:
        """Drops what waits, stops what runs, and waits for that. Interrupted, it has cancelled all the same."""
        with _changed:
            self.cancelled = last = self.issued
            self.interrupt.set()  # until the thread takes a step behind the last one
            _changed.notify_all()
            _changed.wait_for(lambda: self.finished >= last)

    def raise_error(self) -> None:
        with _changed:
            failed, self.failed = self.failed, None
            skipped, self.skipped = self.skipped, 0
        if failed is None or failed.error is None:
            return
        if skipped:
            failed.error.add_note(f"{skipped} {'launch' if skipped == 1 else 'launches'} behind it in the stream did not run")
        raise failed.error

    def close(self) -> None:
        """Lets the thread end when nothing waits; what is launched later starts another."""
        with _changed:
            self.closed = True
            _changed.notify_all()

    def end(self) -> None:
        """Closes, and waits until there is no thread."""
        self.close()
        with _changed:
            thread = self.thread
            if thread is None:
                return
            _changed.wait_for(lambda: self.thread is not thread)  # it may have to start before
        if thread.ident is not None:
            thread.join()


_queues: weakref.WeakSet[_Queue] = weakref.WeakSet()


def _serve(queue: _Queue) -> None:
    """The thread of a stream."""
    thread = threading.current_thread()
    _core.interrupt_by(queue.interrupt)
    while True:
        with _changed:
            _changed.wait_for(lambda: queue.steps or queue.closed or queue.thread is not thread)
            if queue.thread is not thread:
                return
            step = queue.steps.popleft() if queue.steps else None
            if step is not None and step.number > queue.cancelled:
                queue.interrupt.clear()
        if step is None:
            try:
                queue.raise_error()
            except BaseException:  # nobody can ask for it any more
                sys.excepthook(*sys.exc_info())
            with _changed:
                if queue.steps:  # launched by another thread at the end of the program
                    continue
                queue.thread = None
                _changed.notify_all()
                return
        try:
            if queue.cancelled >= step.number:
                raise KeyboardInterrupt
            step.call(step)
        except KeyboardInterrupt:  # of cancel(); Python raises that of the user in the main thread
            step.error = _dropped()
        except BaseException as error:
            step.error = error.with_traceback(None)
            queue.failed = step
        step.call = _nothing
        with _changed:
            queue.finished = step.number
            _changed.notify_all()
        del step


def _dropped() -> errors.PyascError:
    return errors.error("K172", "what is waited for, a launch or an event, was stopped or dropped", "launch it again")


def _nothing(step: Work) -> None: ...


def _caller() -> tuple[str, int]:
    """File and line of the call into this module."""
    frame = sys._getframe(2)
    return frame.f_code.co_filename, frame.f_lineno


class Stream:
    """A queue of launches. They run in the order in which they were given, one after the other; two streams run side by side.

    `launch` returns at once. What is wrong with a kernel's arguments it says itself; what goes wrong later, while the kernel is compiled or
    runs, `synchronize` raises, with the line of `launch`. The launches behind a failed one do not run until the error was raised.

    A stream keeps the arguments of its launches alive. At the end of the program all streams are waited for; when it ends by an exception,
    or at Ctrl-C, what runs is stopped and what waits is dropped."""

    __asc_stream__ = True  # asc: kernel[cores, stream](...)
    __slots__ = ("__weakref__", "_queue")

    def __init__(self) -> None:
        self._queue = _Queue()

    def launch(self, kernel: Launchable) -> None:
        """Puts a launch of a `Kernel`, as its tiling and its arguments are now, into the queue."""
        if not hasattr(kernel, "prepare"):
            help = "write stream.launch(pyasc.Kernel(name)), or kernel[cores, stream](...) for an @asc.jit kernel"
            raise wrong_kind("launch()", kernel, "a pyasc.Kernel", help)
        self._add(kernel.prepare(), _caller())

    def _add(self, launch: Launch, place: tuple[str, int]) -> Work:
        queue, call, name = self._queue, launch.call, launch.name

        def run(step: Work) -> None:
            if queue.failed is not None:
                queue.skipped += 1
                step.error = queue.failed.error  # for those who read what it should have written
                return
            try:
                result = call()
            except errors.PyascError as error:
                raise _launched_at(error, name, place) from None
            except Exception as error:
                error.add_note(f"in the launch of kernel '{name}' at {place[0]}:{place[1]}")
                raise
            if result is not None:
                queue.cycles += result.cycles
                queue.microseconds += result.microseconds
                log.info("kernel '%s': %d cycles, %.2f us", name, result.cycles, result.microseconds)

        with profiler.profiled(name):
            work = queue.add(run)
        for tensor in launch.outputs:
            tensor._work = work
        return work

    def __asc_enqueue__(self, launcher: _core.Launcher, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        """`kernel[cores, stream](...)`: goes into the queue, and is over when the call returns if it works on arrays of the host, which
        everybody can see."""
        values = [*_one_by_one(arguments), *_one_by_one(named.values())]
        tensors = [value for value in values if isinstance(value, Tensor)]
        on_host = any(
            hasattr(value, "__array_interface__") or hasattr(value, "__dlpack__") for value in values if not isinstance(value, Tensor)
        )
        kernel = launcher.kernel
        unwrapped = [_unwrapped(value) for value in arguments]
        unwrapped_named = {name: _unwrapped(value) for name, value in named.items()}

        def call() -> _core.LaunchResult | None:
            kernel[launcher.cores](*unwrapped, **unwrapped_named)
            return kernel.last_launch

        self._add(Launch(kernel.__name__, call, tensors), _caller())
        if on_host:
            self.synchronize()

    def synchronize(self) -> None:
        """Waits until the launches given so far are over, and raises the error of the first that failed. Ctrl-C while it waits stops the
        launch that runs, drops those behind it, and raises KeyboardInterrupt."""
        queue = self._queue
        queue.wait(queue.issued)
        queue.raise_error()

    def cancel(self) -> None:
        """Stops the launch that runs, drops those behind it, and returns when that is done. Reading a tensor that they were to write is an
        error (K172) until another launch has written it."""
        self._queue.cancel()

    def query(self) -> bool:
        """Whether the launches given so far are over."""
        return self._queue.finished >= self._queue.issued

    def record(self, event: Event | None = None) -> Event:
        """Marks the place behind the launches given so far with an event, a new one if none is given, and returns it."""
        event = Event() if event is None else _check_event(event, "record()")
        queue = self._queue

        def note(step: Work) -> None:
            step.cycles, step.microseconds = queue.cycles, queue.microseconds

        event._work = queue.add(note)
        return event

    def wait(self, event: Event) -> None:
        """Has the launches given from now on wait for an event, which another stream may have recorded; the program goes on."""
        work, queue = _check_event(event, "wait()")._recorded("wait()"), self._queue

        def wait(step: Work) -> None:
            with _changed:
                _changed.wait_for(lambda: work.is_over() or queue.cancelled >= step.number)
            queue.cycles = max(queue.cycles, work.cycles)
            queue.microseconds = max(queue.microseconds, work.microseconds)

        queue.add(wait)

    def __del__(self) -> None:
        queue = getattr(self, "_queue", None)
        if queue is not None:
            queue.close()

    def __repr__(self) -> str:
        waiting = self._queue.issued - self._queue.finished
        return f"<pyasc.Stream, {waiting} {'step' if waiting == 1 else 'steps'} to go>"


class Event:
    """A place between the launches of a stream, made by `Stream.record`, and the time on the simulated clock when the stream got there;
    recorded again, it is another place.

    The clock of a stream is at 0 when it is made; a launch moves it on by the time that it takes on the chip, and `Stream.wait` to the time
    of the event, if that is later. A chip shares its cores among streams; the simulated clocks take each to have them all."""

    __slots__ = ("_work",)

    def __init__(self) -> None:
        self._work: Work | None = None

    def _recorded(self, what: str) -> Work:
        if self._work is None:
            raise errors.error("K170", f"{what}: the event has not been recorded", "call stream.record(event) before")
        return self._work

    def query(self) -> bool:
        """Whether the stream has got there."""
        return self._work is not None and self._work.is_over()

    def synchronize(self) -> None:
        """Waits until the stream has got there. The errors of its launches are raised by `Stream.synchronize`."""
        self._recorded("synchronize()").wait()

    def elapsed_us(self, end: Event) -> float:
        """Microseconds of simulated time from this event to another, when both streams have got there. The time of a launch is its cycles
        by the clock of the chip, that of the slowest core, with what starting the launch takes."""
        first, last = self._both(end, "elapsed_us()")
        return last.microseconds - first.microseconds

    def elapsed_cycles(self, end: Event) -> int:
        """Cycles of simulated time from this event to another, when both streams have got there."""
        first, last = self._both(end, "elapsed_cycles()")
        return last.cycles - first.cycles

    def _both(self, end: Event, what: str) -> tuple[Work, Work]:
        """The recordings of both events, when both streams have got there."""
        first, last = self._recorded(what), _check_event(end, what)._recorded(what)
        first.wait()
        last.wait()
        return first, last


def _check_event(event: Any, what: str) -> Event:
    if isinstance(event, Event):
        return event
    raise wrong_kind(what, event, "a pyasc.Event", "make one with stream.record()")


def _one_by_one(arguments: Iterable[Any]) -> Iterator[Any]:
    """The arguments, and in the place of a list or tuple what is in it."""
    for value in arguments:
        yield from value if isinstance(value, list | tuple) else (value,)


def _unwrapped(argument: Any) -> Any:
    """The array of a tensor, and those of the tensors of a list as the list is now."""
    if isinstance(argument, Tensor):
        return argument._array
    if isinstance(argument, list | tuple) and any(isinstance(item, Tensor) for item in argument):
        return tuple(item._array if isinstance(item, Tensor) else item for item in argument)
    return argument


def _launched_at(error: errors.PyascError, name: str, place: tuple[str, int]) -> errors.PyascError:
    """The error of a launch, with the line that asked for it; also for those who collect findings."""
    span = _core.Span(place[0], place[1], 0, place[1], 0)
    error.diagnostics[:] = [diagnostic.with_note(f"kernel '{name}' was launched here", span) for diagnostic in error.diagnostics]
    return error


# ---------------------------------------------------------------- the end of the process, and its children


@atexit.register
def _at_exit() -> None:
    finish(hasattr(sys, "last_type") and not hasattr(sys, "ps1"))  # an exception ends the program, not one of a session that went on


def finish(cancel: bool) -> list[BaseException]:
    """Waits for all streams, which drop what they have to do if that is to be cancelled, and ends their threads. Errors that nobody has
    asked for are shown, and returned."""
    queues = list(_queues)
    shown: list[BaseException] = []
    if cancel:
        _cancel(queues)
    for queue in queues:
        try:
            queue.wait(queue.issued)
            queue.raise_error()
        except KeyboardInterrupt:
            _cancel(queues)
        except BaseException as error:
            sys.excepthook(*sys.exc_info())
            shown.append(error)
    for queue in queues:
        queue.end()
    return shown


def _cancel(queues: list[_Queue]) -> None:
    for queue in queues:
        queue.cancel()


def _forget() -> None:
    """In the child of a fork: the threads are the parent's, and so is the work that they have."""
    global _changed
    _changed = threading.Condition()
    for queue in _queues:
        queue.steps.clear()
        queue.finished, queue.thread, queue.failed, queue.skipped = queue.issued, None, None, 0


os.register_at_fork(after_in_child=_forget)
