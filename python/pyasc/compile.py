# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pyasc compile`: a kernel of a Python file becomes a `.kernel` file that runs by itself, or Ascend C text."""

import contextlib
import os
import sys
import types
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import pyasc
from pyasc import _core, errors, lint, report, targets

# Integer parameters that the files of a run tell, unless their option is given.
LENGTHS = {"length", "n", "size", "count", "total", "total_length", "num_elements"}  # elements of the first input
SHARES = {"block_length"}  # elements of the first input, divided among the cores
CORES = {"cores", "core_num", "num_cores", "block_num"}  # cores that the kernel runs on

TARGETS = "sim", "ascendc", "npu"
_TAKEN = {"input", "output", "check", "seed", "partial_output", "max_cycles", "threads", "profile", "json", "info", "help"}
_RUNNER = Path(__file__).with_name("_runner")
_ELEMENTS, _DIMENSION = 65536, 256  # of inputs that a profile makes up


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
    cores: int = 0
    keep_intermediate: bool = False


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


def _refuse(code, message, help):
    raise errors.error(code, message, help)


def _pairs(texts, option, names=None):
    """`NAME=VALUE` options as a dictionary."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not value:
            _refuse("C312", f"{option} {text}: expected NAME=VALUE", f"write {option} {name or 'NAME'}=VALUE")
        if names is not None and name not in names:
            _refuse("C312", f"{option} {text}: there is no parameter '{name}'", f"the parameters are: {', '.join(names) or 'none'}")
        if name in found:
            _refuse("C312", f"{option} gives '{name}' twice", "give it once")
        found[name] = value
    return found


# ---------------------------------------------------------------- the kernel


def _run_file(path):
    """Runs the file as an import does, so `if __name__ == "__main__"` is left out; what it prints goes to stderr. Its variables."""
    file = os.path.abspath(path)
    try:
        text = Path(file).read_bytes()
        code = compile(text, file, "exec", dont_inherit=True)
    except OSError as error:
        _refuse("C315", f"{path} cannot be read: {error.strerror}", "give a Python file")
    except (SyntaxError, ValueError) as error:
        place = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        _refuse("C315", f"{path} is no Python program: {getattr(error, 'msg', error)}{place}", "python FILE tells more")
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


def _choose(request):
    """The kernel to compile."""
    names = _run_file(request.input)
    file = names["__file__"]
    kernels = {name: value for name, value in names.items() if isinstance(value, _core.Kernel) and value.fn.__code__.co_filename == file}
    if request.function is not None:
        named = names.get(request.function)
        if isinstance(named, _core.Kernel):
            return named
        from difflib import get_close_matches

        near = get_close_matches(request.function, kernels, n=1)
        help = f"did you mean {near[0]}?" if near else f"its kernels are: {', '.join(kernels) or 'none'}"
        _refuse("C311", f"{request.input} has no kernel '{request.function}'", help)
    called = set().union(*(lint._reads(kernel.fn, names, set()) for kernel in kernels.values())) if kernels else set()
    entries = {name: kernel for name, kernel in kernels.items() if name not in called}
    if len(entries) == 1:
        return next(iter(entries.values()))
    if not kernels:
        _refuse("C311", f"{request.input} has no kernel", "write @asc.jit above the function")
    many = ", ".join(entries or kernels)
    _refuse("C311", f"{request.input} has several kernels: {many}", f"say which: --function {next(iter(entries or kernels))}")


# ---------------------------------------------------------------- its parameters


def _dtype(text, option):
    try:
        dtype = _core.DataType(text)
    except ValueError as error:
        _refuse("C312", f"{option} {text}: {error}", "write one of these types")
    if dtype.is_void():
        _refuse("C312", f"{option} {text}: void is no type of a parameter", "write a type such as float32")
    return dtype


def _dtypes(request, names):
    """The type of all arrays, and of parameters by name."""
    general = [text for text in request.dtypes if "=" not in text]
    if len(general) > 1:
        _refuse("C312", f"--dtype: got {' and '.join(general)} for all arrays", "write --dtype NAME=TYPE for each of them")
    own = _pairs([text for text in request.dtypes if "=" in text], "--dtype", names)
    return _dtype(general[0] if general else "float32", "--dtype"), {name: _dtype(text, f"--dtype {name}") for name, text in own.items()}


def _constant(text, types):
    """A value of a ConstExpr as it is written in Python; what is none is a text."""
    import ast

    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return float(value) if types == (float,) and type(value) is int else value


class _Parameters:
    """What a kernel is compiled with, by parameter."""

    def __init__(self, kernel, request):
        from asc.language.core.ir_value import GlobalAddress
        from asc.runtime.jit import MockTensor, MockValue, _annotation, _parameters

        self.kernel, self.defaults, arguments = kernel, {}, {}
        rows = list(_parameters(kernel.fn))
        names = [name for name, *_ in rows]
        general, own = _dtypes(request, names)
        constants = _pairs(request.constants, "--const", names)
        for name, has_default, default, static, _, _, dtype, structure in rows:
            annotation = _annotation(kernel.fn, name)
            if static is not None:
                if name in constants:
                    arguments[name] = _constant(constants.pop(name), static)
                elif not has_default:
                    self._refuse(f"'{name}' is an asc.ConstExpr and has no value", f"write --const {name}=VALUE")
            elif structure is not None:
                arguments[name] = lint._zeros(structure)
            elif annotation is GlobalAddress or isinstance(annotation, GlobalAddress):
                arguments[name] = MockTensor(own.get(name, general))
            elif dtype is not None or annotation in (int, float, bool) or (annotation is None and isinstance(default, (int, float))):
                kind = annotation if annotation in (int, float, bool) else type(default)
                dtype = own.get(name) or dtype or _core.DataType({float: "float32", bool: "bool"}.get(kind, "int32"))
                arguments[name] = MockValue(dtype)
                if has_default:
                    self.defaults[name] = _core.number_bits(default, dtype, f"the default of '{name}'")
            else:
                self._refuse(f"nothing tells what '{name}' is", "annotate it: asc.GlobalAddress, int, float or a dtype")
        if constants:
            name = next(iter(constants))
            self._refuse(f"--const {name}: '{name}' is no asc.ConstExpr", f"annotate it so, or give it to the .kernel file as --{name}")
        self.arguments = arguments

    def _refuse(self, message, help):
        code = self.kernel.fn.__code__
        raise errors.error("C312", f"kernel '{self.kernel.__name__}': {message}", help, (code.co_filename, code.co_firstlineno))


def _shape(text, option):
    """(whether it begins with the dimensions that arrays share, the others)."""
    words = [word.strip() for word in text.split(",")]
    common = words[0] == "..."
    sizes = []
    for word in words[common:]:
        if word.isdecimal():
            sizes.append(int(word))
        elif word.isidentifier() and word not in ("total", "cores", "share") and word not in _TAKEN:
            sizes.append(word)
        else:
            _refuse("C312", f"{option}: '{word}' is no size and no name of one", "write numbers and names, as in 1024,row or ...,row")
    return common, sizes


def _shapes(request, arrays, workspaces):
    """The shape of every array: what --shape and --workspace say, else that of the first input."""
    given = {name: _shape(text, f"--shape {name}") for name, text in _pairs(request.shapes, "--shape", arrays).items()}
    first = next((name for name, role in arrays.items() if role in ("input", "inout")), None)
    default = given.get(first, (True, [])) if first else None
    shapes = {}
    for name in arrays:
        shapes[name] = workspaces.get(name) or given.get(name, default)
        if shapes[name] is None:
            _refuse(
                "C312",
                f"nothing tells the size of '{name}', because the kernel reads no array",
                f"write --shape {name}=SIZE or {name}=NAME",
            )
    return shapes


def _number_of(name, dimensions, has_input):
    """The number of a run that an integer parameter is, unless its option is given; "": there is none."""
    leaf = name.rpartition(".")[2]
    if leaf in dimensions:
        return leaf
    if leaf in CORES:
        return "cores"
    if has_input and leaf in LENGTHS:
        return "total"
    return "share" if has_input and leaf in SHARES else ""


def _parameters_of_file(compiled, defaults, request):
    """The parameters of the .kernel file, from those of the program."""
    workspaces = _pairs(request.workspaces, "--workspace", [name for name, is_array, *_ in compiled.parameters if is_array])
    arrays = {}
    for name, is_array, _, reads, writes in compiled.parameters:
        if is_array:
            role = "inout" if reads and writes else "output" if writes else "input"
            arrays[name] = "workspace" if name in workspaces else role
    workspaces = {name: _shape(text, f"--workspace {name}") for name, text in workspaces.items()}
    shapes = _shapes(request, arrays, workspaces)
    dimensions = {size for name, role in arrays.items() if role in ("input", "inout") for size in shapes[name][1] if isinstance(size, str)}
    has_input = any(role in ("input", "inout") for role in arrays.values())
    numbers = dimensions | {name for name, is_array, dtype, *_ in compiled.parameters if not is_array and not dtype.is_float()}
    for name, (_, sizes) in shapes.items():
        for size in sizes:
            if isinstance(size, str) and size not in numbers:
                help = "write a number, a name in the shape of an input, or an integer parameter"
                _refuse("C312", f"--shape {name}: nothing tells what '{size}' is", help)
    parameters, inputs, outputs = [], [], []
    for name, is_array, dtype, _, _ in compiled.parameters:
        if name.replace("-", "_") in _TAKEN or (not is_array and name.startswith(("input_", "output_"))):
            _refuse(
                "C313", f"parameter '{name}' of kernel '{compiled.name}' has the name of an option of .kernel files", "give it another name"
            )
        if is_array:
            common, sizes = shapes[name]
            parameters.append(_core.FileParameter(name, arrays[name], dtype, common, sizes))
            if arrays[name] in ("input", "inout"):
                inputs.append((name, dtype, common, sizes))
            if arrays[name] in ("output", "inout"):
                outputs.append(name)
        else:
            number = "" if name in defaults or dtype.is_float() else _number_of(name, dimensions, has_input)
            parameters.append(_core.FileParameter(name, "scalar", dtype, number=number, default=defaults.get(name)))
    return parameters, inputs, outputs


# ---------------------------------------------------------------- compiling


@contextlib.contextmanager
def _chip(name):
    """Has kernels compiled for a chip."""
    before = _core.current_target()
    if name is not None:
        chip = targets.resolve(name)
        if chip is None:
            near = targets.nearest(name)
            _refuse("P102", f"unknown platform '{name}'", f"did you mean {near}?" if near else "pyasc targets lists them")
        if chip.lower() != name.lower() and chip.lower() != "ascend" + name.lower():
            print(f"pyasc: platform {name} is taken as {chip}", file=sys.stderr)
        _core.set_current_target(chip)
    try:
        yield
    finally:
        _core.set_current_target(before)


def _write(path, data, executable=False):
    """Puts a file into its place when it is whole."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        temporary.write_bytes(data)
        if executable:
            mode = temporary.stat().st_mode
            temporary.chmod(mode | (mode & 0o444) >> 2)  # who may read it may run it
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        _refuse("C303", f"cannot write {path}: {error.strerror}", "give a path where a file can be written")


def _payload(kernel, compiled, known, request):
    parameters, inputs, outputs = _parameters_of_file(compiled, known.defaults, request)
    summary = (kernel.__doc__ or "").strip().partition("\n")[0]
    cores = request.cores or kernel.default_options["core_num"]
    step = _core.FileStep(compiled.binary, "cores", [name for name, *_ in compiled.parameters])
    return _core.kernel_payload(compiled.name, summary, f"pyasc {pyasc.__version__}", cores, parameters, None, [step]), inputs, outputs


def compile_kernel(request):
    """Compiles as the request says and writes the result. Raises PyascError; then nothing is written."""
    if request.target == "npu":
        from asc.runtime.config import missing_for_npu

        _refuse(
            "P101",
            f"no NPU backend on this machine; missing: {'; '.join(missing_for_npu())}",
            "--target ascendc writes the Ascend C text for CANN's compiler, --target sim a file that runs in the simulator",
        )
    if request.target not in TARGETS:
        _refuse("C314", f"--target {request.target}: there is no such target", "write sim or ascendc")
    kernel = _choose(request)
    with _chip(request.soc_version):
        known = _Parameters(kernel, request)
        compiled = kernel.compile(**known.arguments)
    suffix = ".cpp" if request.target == "ascendc" else ".kernel"
    output = Path(request.output or Path(request.input).with_suffix(suffix).name)
    data, inputs, outputs = compiled.ascendc.encode(), [], []
    if request.target == "sim":
        payload, inputs, outputs = _payload(kernel, compiled, known, request)
        data = _core.attach_payload(_RUNNER.read_bytes(), payload)
    kept = {}
    if request.keep_intermediate:
        texts = {".mlir": compiled.ir, ".ascendc.cpp": compiled.ascendc, ".lst": compiled.listing}
        kept = {output.with_name(output.name.removesuffix(output.suffix) + ending): text for ending, text in texts.items()}
    for path, text in kept.items():
        _write(path, text.encode())
    _write(output, data, executable=request.target == "sim")
    return Result(output, list(kept), compiled.name, compiled.target, data, inputs, outputs)


# ---------------------------------------------------------------- profile


def _made_up(result, sizes, folder):
    """Files with values for the inputs, as options of the .kernel file: standard normal numbers, integers and bools 0."""
    import numpy as np

    random = np.random.default_rng(0)
    options = []
    for name, dtype, common, shape in result.inputs:
        lengths = [int(sizes.get(size, _DIMENSION)) if isinstance(size, str) else size for size in shape]
        lengths = [int(sizes.get("", _ELEMENTS))] * common + lengths
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
    leaves out are 65536 elements and dimensions of 256. Gives the status, and what was printed."""
    import re
    import tempfile

    sizes = {}
    for word in filter(None, (text or "").split(",")):
        name, equals, value = word.rpartition("=")
        if not value.strip() or (not equals and not value.isdecimal()):
            _refuse("C312", f"--profile {word}: expected a number of elements, or NAME=VALUE", "write --profile 65536 or --profile rows=64")
        sizes[name.strip()] = value.strip()
    dimensions = {size for *_, shape in result.inputs for size in shape if isinstance(size, str)}
    for name, value in sizes.items():
        if (not name or name in dimensions) and not re.fullmatch(r"\d{1,12}", value):
            _refuse("C312", f"--profile {name}={value}: expected a size", "write a number of elements")
    printed = []
    with tempfile.TemporaryDirectory(prefix="pyasc-profile-") as folder:
        options = _made_up(result, sizes, Path(folder))
        options += [word for name, value in sizes.items() if name and name not in dimensions for word in (f"--{name}", value)]
        options += [word for name in result.outputs for word in (f"--output-{name}", os.devnull)]
        options += ["--profile", *(["--json"] if as_json else [])]
        status = run_file(result.data, options, result.output.name, printed.append, printed.append)
    return status, "".join(printed)


def run_file(data, arguments, name, write=None, write_error=None):
    """Runs a .kernel file in this process, as it runs by itself. Findings are shown with their source lines. Gives the exit status."""
    color = write_error is None and report.use_color(sys.stderr)
    progress = write_error is None and sys.stderr.isatty()
    return _core.run_kernel_file(
        data,
        [str(argument) for argument in arguments],
        name,
        write or (lambda text: print(text, end="", flush=True)),
        write_error or (lambda text: print(text, end="", file=sys.stderr, flush=True)),
        lambda diagnostic: report.render(diagnostic, color),
        progress,
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
