# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All options of kernels: upstream's, and ours (group "pyasc"), which are never keywords of a launch."""

from collections.abc import Collection
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypedDict

from pyasc import checks, errors

if TYPE_CHECKING:
    from asc.runtime.config import KernelType


class Options(TypedDict, total=False):
    """The types of the options, for editors and type checkers."""

    capture_exceptions: bool
    ir_multithreading: bool
    debug: bool
    strip_loc: bool
    verify_sync: bool
    print_ir_before_all: bool
    run_passes: bool
    kernel_type: "KernelType | None"
    opt_level: int | None
    auto_sync: bool | None
    auto_sync_log: str | None
    bisheng_options: "Collection[str] | None"
    always_compile: bool
    matmul_cube_only: bool
    insert_sync: bool | None
    core_num: int
    stream: Any
    check: "bool | Collection[str] | None"
    seed: int
    data_cache: bool
    arithmetic: str
    dump: bool | None
    time_stamps: bool | None
    max_cycles: int | None
    without_sync: int | None
    threads: int | None


class Option:
    __slots__ = ("accepts", "default", "expected", "group", "meaning", "name")

    def __init__(self, name, group, default, expected, accepts, meaning):
        self.name, self.group, self.default, self.expected, self.accepts, self.meaning = name, group, default, expected, accepts, meaning


def _is(*types):
    return lambda value: isinstance(value, types)


def _only(*values):
    return lambda value: any(value is v or (type(value) is type(v) and value == v) for v in values)


def _number(first, last, or_none=False):
    """Accepts whole numbers, those of NumPy, too."""

    def accepts(value):
        if value is None:
            return or_none
        return isinstance(value, Integral) and not isinstance(value, bool) and first <= value <= last

    return accepts


_KERNEL_TYPE = "a member of asc.runtime.config.KernelType, or None"


def _kernel_type(value):
    from asc.runtime.config import KernelType

    if value is None or isinstance(value, KernelType):
        return True
    names = [member.name for member in KernelType]
    help = f"write kernel_type=KernelType.{value}" if value in names else f"the members are: {', '.join(names)}"
    raise errors.error("K141", f"option 'kernel_type': got {value!r}, expected {_KERNEL_TYPE}", help)


def _check(value):
    if value is not None:
        checks.parse(value, "option 'check'")  # raises what is more exact than a no
    return True


def _stream(value):
    return value is None or hasattr(value, "__asc_stream__")


_NONE = type(None)
_BOOL = "a bool", _is(bool)
_ONLY_DEVICE = "for the device compiler: "
OPTIONS = {
    option.name: option
    for option in (
        Option("capture_exceptions", "codegen", True, *_BOOL, "no effect: errors are always located"),
        Option("ir_multithreading", "codegen", True, *_BOOL, "no effect"),
        Option("debug", "compile", False, *_BOOL, f"{_ONLY_DEVICE}debug information"),
        Option("strip_loc", "compile", False, *_BOOL, "no effect: places are always kept"),
        Option("verify_sync", "compile", False, *_BOOL, "no effect: the checks always verify flags"),
        Option("print_ir_before_all", "compile", False, *_BOOL, "the IR goes to stderr before every pass; neither reads nor writes caches"),
        Option("run_passes", "compile", True, "True", _only(True), "the passes always run"),
        Option(
            "kernel_type",
            "compile",
            None,
            _KERNEL_TYPE,
            _kernel_type,
            "cores of the kernel; None: those it needs",
        ),
        Option("opt_level", "compile", 3, "1, 2 or 3", _only(None, 1, 2, 3), f"{_ONLY_DEVICE}-O<n>"),
        Option("auto_sync", "compile", True, "a bool or None", _is(bool, _NONE), "the device compiler orders scalar unit and pipes"),
        Option("auto_sync_log", "compile", "", "a file name", _is(str, _NONE), f"{_ONLY_DEVICE}log of its synchronisation"),
        Option("bisheng_options", "compile", None, "a tuple of strings", _is(tuple, list, _NONE), f"{_ONLY_DEVICE}arguments"),
        Option("always_compile", "compile", False, *_BOOL, "neither read nor write caches"),
        Option(
            "matmul_cube_only", "compile", False, *_BOOL, "the kernel runs on the cube cores: kernel_type is AIC_ONLY unless it is given"
        ),
        Option(
            "insert_sync",
            "compile",
            None,
            "a bool or None",
            _is(bool, _NONE),
            "flags and barriers are inserted; None: with LocalTensorAuto",
        ),
        Option("core_num", "launch", 0, "a number of cores from 1 to 65535", _number(0, 65535), "cores of a call without brackets"),
        Option("stream", "launch", None, "a stream or None", _stream, "stream of a call without brackets"),
        Option(
            "check",
            "pyasc",
            None,
            "a bool, names of checks, or None",
            _check,
            "which checks a launch makes; 'adversarial': what nothing orders also comes late, in any order; None: as pyasc.checks says",
        ),
        Option(
            "seed",
            "pyasc",
            0,
            "a number from 0 to 2**32 - 1",
            _number(0, 2**32 - 1),
            "of adversarial mode: the same seed gives the same run",
        ),
        Option(
            "data_cache",
            "pyasc",
            False,
            *_BOOL,
            "get_value and set_value of global tensors go through a cache as on the device: only "
            "data_cache_clean_and_invalid and the end of the kernel keep it up to date",
        ),
        Option("arithmetic", "pyasc", "ascendc", "'ascendc' or 'python'", _only("ascendc", "python"), "python: / of ints is true division"),
        Option("dump", "pyasc", None, "a bool or None", _is(bool, _NONE), "printed text and dumps; None: unless ASCENDC_DUMP is false"),
        Option(
            "time_stamps",
            "pyasc",
            None,
            "a bool or None",
            _is(bool, _NONE),
            "print_time_stamp prints; None: with -DASCENDC_TIME_STAMP_ON in bisheng_options",
        ),
        Option(
            "max_cycles",
            "pyasc",
            None,
            "a number of cycles from 1 to 2**63 - 1, or None",
            _number(1, 2**63 - 1, or_none=True),
            "limit of the simulated time of a block; None: 2**33, some seconds of the chip",
        ),
        Option(
            "without_sync",
            "pyasc",
            None,
            "the number of an inserted flag or barrier, or None",
            _number(0, 2**31 - 1, or_none=True),
            "leaves it out, to see its race",
        ),
        Option(
            "threads",
            "pyasc",
            None,
            "a number of threads from 1 to 2**31 - 1, or None",
            _number(1, 2**31 - 1, or_none=True),
            "host threads of the simulator",
        ),
    )
}
CALL_OPTIONS = {option.name for option in OPTIONS.values() if option.group in ("codegen", "compile")}


def table():
    """A line for each option: name, default, meaning."""
    return "\n".join(f"    {option.name} ({option.default!r}): {option.meaning}" for option in OPTIONS.values())


def check(given, names=OPTIONS):
    """Refuses options that do not exist or have a wrong value."""
    for name, value in given.items():
        if name not in names:
            near = errors.nearest(name, names)
            help = f"did you mean '{near}'?" if near else f"there are: {', '.join(sorted(names))}"
            raise errors.error("K140", f"unknown option '{name}'", help)
        option = OPTIONS[name]
        if not option.accepts(value):
            raise errors.error("K141", f"option '{name}': got {value!r}, expected {option.expected}", f"{name}: {option.meaning}")


def make_options(class_name, group, module, frozen=False):
    """A dataclass with the options of a group as fields; they cannot be assigned to when it is frozen."""
    defaults = {option.name: option.default for option in OPTIONS.values() if option.group == group}

    def __init__(self, **given):
        check(given, defaults)
        for name, default in defaults.items():
            object.__setattr__(self, name, given.get(name, default))

    def __setattr__(self, name, value):
        raise AttributeError(f"{class_name} cannot be changed; make another one with {name}={value!r}")

    def values(self):
        return tuple(getattr(self, name) for name in defaults)

    def __eq__(self, other):
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    def __repr__(self):
        return f"{class_name}({', '.join(f'{name}={getattr(self, name)!r}' for name in defaults)})"

    doc = "\n".join(f"{name}: {OPTIONS[name].meaning}" for name in defaults)
    members = {
        "__slots__": tuple(defaults),
        "__annotations__": dict.fromkeys(defaults, object),
        "__init__": __init__,
        "__eq__": __eq__,
        "__repr__": __repr__,
        "__doc__": doc,
        "__module__": module,
    }
    if frozen:
        members |= {"__setattr__": __setattr__, "__hash__": lambda self: hash(values(self))}
    return dataclass(init=False, repr=False, eq=False)(type(class_name, (), members))
