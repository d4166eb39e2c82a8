# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pyasc compile`: a kernel of a Python file becomes a `.kernel` file that runs by itself, or Ascend C text."""

import contextlib
import math
import os
import sys
import types
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import pyasc
from pyasc import _core, errors, kernel_interface, lint, report, targets
from pyasc.kernel_interface import refuse

TARGETS = "sim", "ascendc", "npu"
_RUNNER = Path(__file__).with_name("_runner")
_ELEMENTS, _DIMENSION = 65536, 256  # of inputs that a profile makes up
_MOST_CORES, _MOST_MADE_UP = 65535, 2**28


@dataclass
class Request:
    """What `pyasc compile` is asked for."""

    input: str | None
    output: str | None = None
    function: str | None = None
    soc_version: str | None = None
    target: str = "sim"
    dtypes: list = field(default_factory=list)  # "float16" for all arrays, or "a=float16"
    shapes: list = field(default_factory=list)  # "a=1024,row"
    constants: list = field(default_factory=list)  # "TILE=1024"
    workspaces: list = field(default_factory=list)  # "work=4096", elements
    cores: int | None = None
    keep_intermediate: bool = False
    profile: str | None = None  # sizes and options of a run; None: none


@dataclass
class Result:
    """What came out: the file, the names of the files beside it, and what is needed to run it again in this process."""

    output: Path
    kept: list
    kernel: str
    target: str
    data: bytes
    inputs: list  # (parameter, dtype, shape) of the arrays that a run reads
    outputs: list  # parameters that a run writes


# ---------------------------------------------------------------- the kernel


def _run_file(path):
    """Runs the file as an import does, so `if __name__ == "__main__"` is left out; what it prints goes to stderr. Its variables."""
    file = os.path.abspath(path)
    try:
        text = Path(file).read_bytes()
        code = compile(text, file, "exec", dont_inherit=True)
    except OSError as error:
        refuse("C315", f"{path} cannot be read: {error.strerror}", "give a Python file")
    except (SyntaxError, ValueError) as error:
        place = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        refuse("C315", f"{path} is no Python program: {getattr(error, 'msg', error)}{place}", "python FILE tells more")
    module = types.ModuleType("__pyasc_compile__")
    module.__file__ = file
    sys.modules[module.__name__] = module
    sys.path.insert(0, os.path.dirname(file))
    try:
        with contextlib.redirect_stdout(sys.stderr):
            exec(code, vars(module))
    except errors.PyascError:
        raise
    except (Exception, SystemExit) as error:
        trace = error.__traceback__
        while trace.tb_next is not None and trace.tb_frame.f_code.co_filename != file:
            trace = trace.tb_next
        message = f"{path} ended in {type(error).__name__} when it was imported: {error}"
        raise errors.error("C315", message, "run it with python first", (file, trace.tb_lineno)) from error
    finally:
        sys.path.remove(os.path.dirname(file))
    return vars(module)


def _home(names, name):
    """What tells where a kernel comes from that a file imports; empty: there is none of this name."""
    kernel = names.get(name)
    return f"'{name}' is in {report.shown_path(kernel.fn.__code__.co_filename)}: give that file" if isinstance(kernel, _core.Kernel) else ""


def _choose(request):
    """What to compile: a kernel, or a host function."""
    from pyasc import registry
    from pyasc.host_function import is_host_function

    if request.input is None:
        if request.function is None:
            refuse("C311", "nothing to compile", "write --input FILE, or --function with the name of a kernel of pyasc")
        return registry.find(request.function).function
    names = _run_file(request.input)
    file = names["__file__"]
    kernels, functions = {}, {}
    for name, value in names.items():
        if isinstance(value, _core.Kernel) and value.fn.__code__.co_filename == file:
            kernels[name] = value
        elif is_host_function(value) and value.__code__.co_filename == file:
            functions[name] = value
    everything = kernels | functions
    if request.function is not None:
        if request.function in everything:
            return everything[request.function]
        if request.function in registry.names():
            return registry.find(request.function).function
        near = errors.nearest(request.function, everything)
        help = f"did you mean {near}?" if near else _home(names, request.function) or f"there are: {', '.join(everything) or 'none'}"
        refuse("C311", f"{request.input} has no kernel '{request.function}'", help)
    called = set().union(*(lint._reads(getattr(value, "fn", value), names, set()) for value in everything.values()))
    candidates = functions or kernels
    entries = [name for name in candidates if name not in called] or list(candidates)
    if not entries:
        imported = [help for name in names if (help := _home(names, name))]
        refuse("C311", f"{request.input} has no kernel", imported[0] if imported else "write @asc.jit above the function")
    if len(entries) > 1:
        refuse("C311", f"{request.input} has several kernels: {', '.join(entries)}", f"say which: --function {entries[0]}")
    return candidates[entries[0]]


# ---------------------------------------------------------------- compiling


@contextlib.contextmanager
def _chip(name):
    """Has kernels compiled for a chip."""
    before = _core.current_target()
    if name is not None:
        chip = targets.resolve(name)
        if chip is None:
            near = targets.nearest(name)
            refuse("P102", f"unknown platform '{name}'", f"did you mean {near}?" if near else "pyasc targets lists them")
        if chip.lower() != name.lower() and chip.lower() != "ascend" + name.lower():
            print(f"pyasc: platform {name} is taken as {chip}", file=sys.stderr)
        _core.set_current_target(chip)
    try:
        yield
    finally:
        _core.set_current_target(before)


def _write(files):
    """Puts files, by path, into their places when all of them are whole. What is there and is no plain file, a device or a pipe, is written
    as it is."""
    parts = {}
    try:
        for path, (data, executable) in files.items():
            if path.exists() and not path.is_file():
                path.write_bytes(data)
                continue
            real = Path(os.path.realpath(path))  # through links
            part = real.with_name(f"{real.name}.{os.getpid()}.part")
            parts[part] = real
            part.write_bytes(data)
            mode = part.stat().st_mode
            part.chmod(mode | (mode & 0o444) >> 2 if executable else mode)  # who may read it may run it
        for part, path in parts.items():
            part.replace(path)
    except OSError as error:
        for part in parts:
            with contextlib.suppress(OSError):
                part.unlink()
        refuse("C303", f"cannot write {path}: {error.strerror}", "give a path where a file can be written")


def _interface(chosen, request):
    """(interface, compiled kernels, cores of a run that does not say) of what is compiled."""
    from pyasc import host_function, registry

    if not isinstance(chosen, _core.Kernel):
        return *host_function.of_function(chosen, request), request.cores or 0
    definition = registry.definition_of(chosen)
    arguments = kernel_interface.Arguments(chosen, request, definition)
    compiled = chosen.options(always_compile=True).compile(**arguments.stand_ins)
    cores = request.cores or chosen.default_options["core_num"]
    if request.target == "ascendc":
        return None, [compiled], cores
    if definition is not None:
        return kernel_interface.of_registered(definition, compiled, arguments, request), [compiled], cores
    return kernel_interface.of_kernel(compiled, arguments, request), [compiled], cores


def compile_kernel(request):
    """Compiles as the request says and writes the result. Raises PyascError; then nothing is written."""
    if request.target == "npu":
        from asc.runtime.config import missing_for_npu

        help = "--target ascendc writes the Ascend C text for CANN's compiler, --target sim a file that runs in the simulator"
        refuse("P101", f"no NPU backend on this machine; missing: {'; '.join(missing_for_npu())}", help)
    if request.target not in TARGETS:
        refuse("C314", f"--target {request.target}: there is no such target", "write sim or ascendc")
    if request.target == "ascendc" and request.profile is not None:
        refuse("C314", "--profile runs a .kernel file, and --target ascendc makes none", "leave one of them out")
    if request.cores is not None and not 1 <= request.cores <= _MOST_CORES:
        refuse("C312", f"--cores {request.cores}: expected a number from 1 to {_MOST_CORES}", "leave it out for all cores of the chip")
    if request.output is not None and Path(request.output).is_dir():
        refuse("C303", f"cannot write {request.output}: Is a directory", "give a path where a file can be written")
    chosen = _choose(request)
    with _chip(request.soc_version):
        interface, compiled, cores = _interface(chosen, request)
    name, target = chosen.__name__, compiled[0].target
    suffix = ".cpp" if request.target == "ascendc" else ".kernel"
    output = Path(request.output or Path(request.input or name).with_suffix(suffix).name)
    texts = {}
    for number, kernel in enumerate(compiled):
        stem = output.name.removesuffix(output.suffix) + (f".{number}" if len(compiled) > 1 else "")
        for ending, text in {".mlir": kernel.ir, ".ascendc.cpp": kernel.ascendc, ".lst": kernel.listing}.items():
            texts[output.with_name(stem + ending)] = text
    if request.target == "ascendc":
        data = "\n".join(kernel.ascendc for kernel in compiled).encode()
        interface = kernel_interface.Interface()
    else:
        summary = (chosen.__doc__ or "").strip().partition("\n")[0]
        producer = f"pyasc {pyasc.__version__}"
        payload = _core.kernel_payload(name, summary, producer, cores, interface.parameters, interface.rule, interface.steps)
        data = _core.attach_payload(_RUNNER.read_bytes(), payload)
    kept = texts if request.keep_intermediate else {}
    files = {path: (text.encode(), False) for path, text in kept.items()}
    _write(files | {output: (data, request.target == "sim")})
    return Result(output, list(kept), name, target, data, interface.inputs, interface.outputs)


# ---------------------------------------------------------------- profile


def _made_up(result, sizes, folder):
    """Files with values for the inputs, as options of the .kernel file: standard normal numbers, integers and bools 0."""
    import numpy as np

    random = np.random.default_rng(0)
    options = []
    for name, dtype, common, shape in result.inputs:
        lengths = [int(sizes.get(size, _DIMENSION)) if isinstance(size, str) else size for size in shape]
        lengths = [int(sizes.get("", _ELEMENTS))] * common + lengths
        if math.prod(lengths) > _MOST_MADE_UP:
            shown = " x ".join(map(str, lengths))
            refuse("C312", f"--profile: '{name}' would have {shown} elements, most are {_MOST_MADE_UP}", "write smaller sizes")
        if str(dtype) == "bfloat16":
            values = (random.standard_normal(lengths, np.float32).view(np.uint32) >> 16).astype(np.uint16)
        elif dtype.is_float():
            values = random.standard_normal(lengths).astype(str(dtype))
        else:
            values = np.zeros(lengths, str(dtype))
        np.save(folder / f"{name}.npy", values)
        options += [f"--input-{name}", str(folder / f"{name}.npy")]
    return options


def profile(result, text, as_json=False):
    """Runs what was compiled, on values that are made up. `text` has sizes and options, as in `1048576`, `rows=64,alpha=0.5`; those that it
    leaves out are 65536 elements and dimensions of 256. Gives the status, and what was printed; errors, and how far it is, go to stderr."""
    import re
    import tempfile

    sizes = {}
    for word in filter(None, (text or "").split(",")):
        name, equals, value = word.rpartition("=")
        if not value.strip() or (not equals and not value.isdecimal()):
            refuse("C312", f"--profile {word}: expected a number of elements, or NAME=VALUE", "write --profile 65536 or --profile rows=64")
        sizes[name.strip()] = value.strip()
    dimensions = {size for *_, shape in result.inputs for size in shape if isinstance(size, str)}
    for name, value in sizes.items():
        if (not name or name in dimensions) and not re.fullmatch(r"\d{1,12}", value):
            refuse("C312", f"--profile {name}={value}: expected a size", "write a number of elements")
    printed = []
    with tempfile.TemporaryDirectory(prefix="pyasc-profile-") as folder:
        options = _made_up(result, sizes, Path(folder))
        options += [word for name, value in sizes.items() if name and name not in dimensions for word in (f"--{name}", value)]
        options += [word for name in result.outputs for word in (f"--output-{name}", os.devnull)]
        options += ["--profile", *(["--json"] if as_json else [])]
        status = run_file(result.data, options, result.output.name, printed.append)
    return status, "".join(printed)


def run_file(data, arguments, name, write=None):
    """Runs a .kernel file in this process, as it runs by itself. Findings are shown with their source lines. Gives the exit status."""
    color = report.use_color(sys.stderr)
    return _core.run_kernel_file(
        data,
        [str(argument) for argument in arguments],
        name,
        write or (lambda text: print(text, end="", flush=True)),
        lambda text: print(text, end="", file=sys.stderr, flush=True),
        lambda diagnostic: report.render(diagnostic, color),
        sys.stderr.isatty(),
    )


@contextlib.contextmanager
def collected_warnings():
    """The diagnostics of warnings, which are then not shown."""
    found = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", errors.PyascWarning)
        yield found
    for warning in caught:
        if isinstance(warning.message, errors.PyascWarning):
            found.append(warning.message.diagnostic)
        else:
            warnings.showwarning(warning.message, warning.category, warning.filename, warning.lineno)
