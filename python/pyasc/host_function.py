# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host functions for `.kernel` files: a function of Tensors and numbers runs once with stand-ins whose sizes are expressions, once more for
every way that its comparisons can go. What it launches become the steps of the file, and how it came to their numbers its tiling rule."""

import ast
import contextlib
import functools
import inspect
import linecache
import operator
import re
import traceback
from dataclasses import dataclass, field
from unittest import mock

import asc
from asc.runtime.jit import JITFunction, MockTensor, MockValue, _annotation, _parameters

import pyasc
from pyasc import _core, errors, registry, tiling
from pyasc.kernel_interface import Interface, check_not_used, check_shapes, dtypes_of, names_in, refuse, shapes_of, step_of

_MOST_PATHS = 64
_INT64 = _core.DataType("int64")


# ---------------------------------------------------------------- numbers that a run knows


class Number:
    """An integer that is known when the .kernel file runs."""

    __slots__ = ("node",)
    __hash__ = None

    def __init__(self, node):
        self.node = node

    def __bool__(self):
        return bool(self != 0)

    def __index__(self):
        refuse("C313", f"the value of {self} is not known before there are arrays", "compute with it; do not count or index by it")

    __int__ = __float__ = __index__

    def __truediv__(self, other):
        refuse("C313", f"{self} / {other!r} is no integer", "write //")

    __rtruediv__ = __truediv__

    def __repr__(self):
        return re.sub(r"\bn_", "", ast.unparse(self.node))

    def __format__(self, form):
        return repr(self)


class Condition:
    """A comparison: asking for its truth takes one way now and the other one in a later run."""

    __slots__ = ("node",)

    def __init__(self, node):
        self.node = node

    def __bool__(self):
        return _trace.decide(self.node)


class Value:
    """A float that is known when the .kernel file runs; it is only handed on."""

    __slots__ = ("name",)
    __hash__ = None

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name

    def _refused(self, *others):
        message = f"'{self.name}' is a float of the file: it can only be passed to set_attr() and to kernels"
        refuse("C313", message, "compute with it in the kernel; the function decides by integers")

    __bool__ = __int__ = __float__ = __round__ = __neg__ = __pos__ = __abs__ = _refused
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refused
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = _refused
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = _refused


def _node(value):
    return value.node if isinstance(value, Number) else ast.Constant(value)


def _is_integer(value):
    return isinstance(value, Number) or (isinstance(value, int) and not isinstance(value, bool))


def _is_float(kernel, name, dtype):
    """Whether a kernel takes a parameter as a float whatever it is given."""
    return dtype.is_float() if dtype is not None else _annotation(kernel.fn, name) is float


def _operators():
    for name, kind in {"add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "floordiv": ast.FloorDiv, "mod": ast.Mod}.items():

        def forward(self, other, kind=kind):
            return Number(ast.BinOp(self.node, kind(), _node(other))) if _is_integer(other) else NotImplemented

        def backward(self, other, kind=kind):
            return Number(ast.BinOp(_node(other), kind(), self.node)) if _is_integer(other) else NotImplemented

        yield f"__{name}__", forward
        yield f"__r{name}__", backward
    comparisons = {"eq": ast.Eq, "ne": ast.NotEq, "lt": ast.Lt, "le": ast.LtE, "gt": ast.Gt, "ge": ast.GtE}
    for name, kind in comparisons.items():

        def compare(self, other, kind=kind):
            if not _is_integer(other):
                return NotImplemented
            if ast.dump(self.node) == ast.dump(_node(other)):
                return kind in (ast.Eq, ast.LtE, ast.GtE)
            return Condition(ast.Compare(self.node, [kind()], [_node(other)]))

        yield f"__{name}__", compare
    yield "__neg__", lambda self: Number(ast.UnaryOp(ast.USub(), self.node))
    yield "__pos__", lambda self: self


for _name, _function in _operators():
    setattr(Number, _name, _function)


def _least_or_most(name, original):
    """min and max of Python, which would compare, in a form that does not."""

    def function(*values, **options):
        if len(values) > 1 and not options and any(isinstance(value, Number) for value in values) and all(map(_is_integer, values)):
            return Number(ast.Call(ast.Name(name, ast.Load()), [_node(value) for value in values], []))
        return original(*values, **options)

    return function


# ---------------------------------------------------------------- stand-ins


class _Unknown:
    """The shape of a parameter of which only the number of elements is known; all such arrays have the same one."""

    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        """A single dimension with all of the elements is as good as the shape: there are no others to ask for."""
        return isinstance(other, _Unknown) or (isinstance(other, tuple) and len(other) == 1 and _is_total(other[0])) or self[0] == other

    __hash__ = None

    def __getitem__(self, index):
        message = f"the function asks for the shape of '{self.name}', and nothing tells how many dimensions it has"
        refuse("C312", message, f"write --shape {self.name}=SIZES, with a number or a name for each dimension")

    def __iter__(self):
        return self[0]

    def __len__(self):
        return self[0]

    def __repr__(self):
        return "(...)"


class Tensor:
    """Stands for an array; one that the function makes is memory of the run."""

    def __init__(self, shape, dtype, name=None):
        from pyasc.tensor import dtype_of

        self.dtype = dtype_of(dtype, "Tensor: dtype")
        self._shape = shape if isinstance(shape, (tuple, _Unknown)) else tuple(shape) if isinstance(shape, list) else (shape,)
        self.name = name or _trace.temporary(self)

    @property
    def shape(self):
        return self._shape

    @property
    def size(self):
        if isinstance(self._shape, _Unknown):
            return _trace.fact("total")
        return functools.reduce(operator.mul, self._shape or (1,))

    @property
    def nbytes(self):
        return self.size * self.dtype.sizeof()

    @property
    def writable(self):
        return True

    def dimensions(self):
        """Names of its sizes; none: it has the shape that all arrays share."""
        return [] if isinstance(self._shape, _Unknown) else [f"{self.name}.{d}" for d in range(len(self._shape))]

    def form(self):
        """What has to be the same on every path."""
        return self.name, self.dtype.name, None if isinstance(self._shape, _Unknown) else len(self._shape)

    def wait(self):
        pass

    def __len__(self):
        refuse("C313", f"the length of '{self.name}' is not known before there are arrays", f"write {self.name}.shape[0]")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        refuse("C313", f"a Tensor has no values while the function is compiled, and {name} asks for them", "leave it out of this function")


class Stream:
    """Launches are recorded in their order."""

    def launch(self, kernel):
        _trace.launches.append(kernel.recorded())

    def synchronize(self):
        pass

    def record(self, event=None):
        return event or Event()

    def wait(self, event):
        pass

    def query(self):
        return True


class Event:
    def synchronize(self):
        pass

    def __getattr__(self, name):
        refuse("C313", f"Event.{name} measures, and nothing runs while the function is compiled", "leave it out of this function")


@dataclass
class Launch:
    """A launch as it was recorded: what each parameter of the kernel gets."""

    kernel: object
    blocks: object
    values: dict  # parameter -> Tensor, Number, int, float, Value, or a value of a ConstExpr
    roles: dict  # of the arrays, where the kernel says; else empty

    def form(self):
        """What has to be the same on every path: all but the integers that the kernel gets when it runs."""
        values = {}
        for name, _, _, static, _, _, dtype, _ in _parameters(self.kernel.fn):
            value = self.values[name]
            if isinstance(value, Tensor):
                values[name] = value.form()
            elif static is None and _is_integer(value) and not _is_float(self.kernel, name, dtype):
                values[name] = int
            else:
                values[name] = value.name if isinstance(value, Value) else repr(value)  # as it is: 2 is not 2.0, and 0.0 is not -0.0
        return self.kernel.fn, self.kernel.default_options, self.roles, values


class Kernel(registry.Kernel):
    def _set(self, names, what, index, value):
        name = self._name(names, what, index)
        if not isinstance(value, Tensor):
            message = f"{what} {index} ('{name}') of kernel '{self.name}': got {type(value).__name__}, expected a Tensor"
            refuse("C313", message, "pass a Tensor that the function got or made")
        self._arrays[name] = value

    def set_attr(self, name, value):
        if name in self._attributes and isinstance(value, (Number, Value)):
            self._attributes[name] = value
        else:
            super().set_attr(name, value)

    def set_workspace(self, index, bytes):
        name = self._name(tuple(self._definition.workspaces), "workspace", index)
        dtype = _core.DataType(self._definition.workspaces[name])
        self._workspaces[name] = Tensor(bytes // dtype.sizeof(), dtype)

    def recorded(self):
        definition = self._definition
        self._check_complete()
        first = self._arrays[(*definition.inputs, *definition.outputs)[0]]
        self._check_dtypes(first)
        if definition.dtypes and first.dtype.name not in definition.dtypes:
            raise AssertionError(f"kernel '{self.name}' takes {' or '.join(definition.dtypes)}, not {first.dtype}")
        self._check_shapes()
        facts = {"total": first.size, "itemsize": first.dtype.sizeof(), "cores": _trace.fact("cores")}
        asked = tiling.parameters(definition.tiling) if definition.tiling else ()
        if "row" in asked or "rows" in definition.parameters:
            facts["row"] = first.shape[-1] if first.shape else 1
            facts["rows"] = first.size // _least_or_most("max", max)(1, facts["row"])
        listed = dict(zip(tiling.LIST, self._listed(facts, asked), strict=True))
        numbers = listed | {name: facts[name] for name in ("total", "rows") if name in facts}
        values = numbers | self._attributes | self._workspaces | self._arrays
        roles = dict.fromkeys(definition.inputs, "input") | dict.fromkeys(definition.outputs, "output")
        return Launch(definition.function, listed["block_dim"], {name: values[name] for name in definition.parameters}, roles)

    def _listed(self, facts, asked):
        """The tiling list; the rule becomes a function that the tiling rule of the file calls."""
        given = self._tiling
        if given is not None and (not isinstance(given, list) or len(given) != len(tiling.LIST) or not all(map(_is_integer, given))):
            raise AssertionError(f"tiling of kernel '{self.name}': got {given!r}, expected four integers [block_dim, outer, inner, count]")
        if not asked:
            return given if given is not None else refuse("C313", f"kernel '{self.name}' has no tiling rule", "call set_tiling()")
        known = facts | self._attributes | dict(zip(tiling.LIST, given or [0] * len(tiling.LIST), strict=True))
        for name in asked:
            if not _is_integer(known[name]):
                check_not_used(self._definition, name)
                known[name] = 0
        chosen = _trace.call(self._definition.tiling, [known[name] for name in asked])
        return given if given is not None and not set(asked) & set(tiling.LIST) else chosen


class _Jit:
    """A kernel of the file, launched by kernel[cores](...)."""

    def __init__(self, kernel):
        self._kernel = kernel

    def __getitem__(self, index):
        blocks = index[0] if isinstance(index, tuple) else index
        if not _is_integer(blocks):
            refuse("C313", f"kernel '{self._kernel.__name__}': got {blocks!r} cores, expected an integer", "write kernel[cores](...)")

        def launch(*arguments, **named):
            bound = inspect.signature(self._kernel.fn).bind(*arguments, **named)
            bound.apply_defaults()
            _trace.launches.append(Launch(self._kernel, blocks, dict(bound.arguments), {}))

        return launch

    def options(self, **given):
        return _Jit(self._kernel.options(**given))

    def __getattr__(self, name):
        refuse("C313", f"{self._kernel.__name__}.{name} looks at a kernel that has not run", "leave it out of this function")


# ---------------------------------------------------------------- paths


@dataclass
class _Path:
    # ("let", name, node), ("if", node, taken), then ("done", launches, temporaries, returned) or ("refuse", reason, error)
    events: list = field(default_factory=list)


class _Trace:
    """The run that is going on."""

    def __init__(self, decisions, functions):
        self.decisions, self.functions = decisions, functions
        self.path, self.asked = _Path(), 0
        self.launches, self.temporaries, self.facts = [], [], []

    def fact(self, name):
        self.facts.append(name)
        return Number(ast.Name(_variable(name), ast.Load()))

    def decide(self, node):
        if self.asked == len(self.decisions):
            self.decisions.append(True)
        taken = self.decisions[self.asked]
        self.asked += 1
        self.path.events.append(("if", node, taken))
        return taken

    def call(self, function, arguments):
        """The numbers of the list that a tiling rule returns."""
        called = self.functions.setdefault(id(function), (f"rule_{len(self.functions)}", function))[0]
        name = f"t{sum(event[0] == 'let' for event in self.path.events)}"
        call = ast.Call(ast.Name(called, ast.Load()), [_node(argument) for argument in arguments], [])
        self.path.events.append(("let", name, call))
        entry = ast.Name(name, ast.Load())
        return [Number(ast.Subscript(entry, ast.Constant(i), ast.Load())) for i in range(len(tiling.LIST))]

    def temporary(self, tensor):
        self.temporaries.append(tensor)
        return f".t{len(self.temporaries) - 1}"


def _is_total(value):
    return isinstance(value, Number) and isinstance(value.node, ast.Name) and value.node.id == _variable("total")


def _variable(fact):
    return "n_" + fact.replace(".", "_")


_trace = None


@contextlib.contextmanager
def _stand_ins(function):
    """While it runs, names of the function's module and of pyasc mean the stand-ins."""
    from pyasc import stream, tensor

    real = {tensor.Tensor: Tensor, stream.Stream: Stream, stream.Event: Event, registry.Kernel: Kernel}
    own = {"min": _least_or_most("min", min), "max": _least_or_most("max", max)}
    for name, value in function.__globals__.items():
        if isinstance(value, JITFunction):
            own[name] = _Jit(value)
        elif isinstance(value, type) and value in real:
            own[name] = real[value]
    theirs = {"Tensor": Tensor, "Stream": Stream, "Event": Event, "Kernel": Kernel}
    with mock.patch.dict(function.__globals__, own), mock.patch.multiple(pyasc, **theirs):
        yield


def _tensors(returned, function):
    """What a host function returns, as a list of Tensors, each once."""
    listed = list(returned) if isinstance(returned, (tuple, list)) else [] if returned is None else [returned]
    for value in listed:
        if not isinstance(value, Tensor):
            message = f"{function.__name__}() returns {value!r}, and what comes out of a file are Tensors"
            refuse("C313", message, "return Tensors, or nothing")
    return list(dict.fromkeys(listed))


def _place(function, error):
    """The line of the function, or of what lies in its file, that an error comes from; else where the function begins."""
    file, line = function.__code__.co_filename, function.__code__.co_firstlineno
    return file, next((frame.lineno for frame in reversed(traceback.extract_tb(error.__traceback__)) if frame.filename == file), line)


@contextlib.contextmanager
def _places(function):
    """Errors that have no place get the line of the function."""
    try:
        yield
    except errors.PyascError as error:
        first = error.diagnostics[0]
        if first.span.file:
            raise
        raise errors.error(first.code, first.message, first.help, _place(function, error)) from None


def _explore(function, arguments):
    """Every path of the function: what `arguments()` gives are the stand-ins of a run."""
    global _trace
    functions, decisions, paths, facts = {}, [], [], []
    while True:
        _trace = _Trace(decisions, functions)
        try:
            with _stand_ins(function):
                returned = function(**arguments())
            _trace.path.events.append(("done", _trace.launches, _trace.temporaries, _tensors(returned, function)))
        except (errors.FileError, errors.CompileError):  # of the function, not of the sizes
            raise
        except (AssertionError, errors.PyascError) as error:
            reason = error.diagnostics[0].message if isinstance(error, errors.PyascError) else str(error) or "an assertion of the function"
            _trace.path.events.append(("refuse", reason, error))
        except Exception as error:
            message = f"{function.__name__}() ended in {type(error).__name__} while it was followed: {error}"
            refuse("C313", message, "correct it; it runs with stand-ins for arrays and numbers", _place(function, error))
        paths.append(_trace.path.events)
        facts += [fact for fact in _trace.facts if fact not in facts]
        del decisions[_trace.asked :]
        while decisions and not decisions[-1]:
            decisions.pop()
        if not decisions:
            return paths, facts, dict(functions.values())
        decisions[-1] = False
        if len(paths) == _MOST_PATHS:
            help = "write min() and max(), or fewer conditions on sizes"
            refuse("C313", f"{function.__name__}() goes more than {_MOST_PATHS} ways, depending on the sizes", help)


# ---------------------------------------------------------------- paths as a function


class _Refused:
    def __init__(self, reason):
        self.reason = ast.Constant(reason)


def _statements(paths, depth, results):
    """The statements of paths that are the same up to event `depth`; a _Refused when all that they do is to refuse."""
    body = []
    while True:
        kind, *event = paths[0][depth]
        depth += 1
        if kind == "let":
            body.append(ast.Assign([ast.Name(event[0], ast.Store())], event[1]))
        elif kind == "done":
            store = ast.Attribute(ast.Name("results", ast.Load()), "set_value", ast.Load())
            values = results(*event)
            return body + [ast.Expr(ast.Call(store, [ast.Constant(i), _node(value)], [])) for i, value in enumerate(values)]
        elif kind == "refuse":
            return _Refused(event[0])
        else:
            yes, no = (_statements([path for path in paths if path[depth - 1][2] is taken], depth, results) for taken in (True, False))
            return body + _branches(event[0], yes, no)


def _branches(test, yes, no):
    opposite = ast.UnaryOp(ast.Not(), test)
    if isinstance(no, _Refused):
        rest = [ast.Assert(opposite, yes.reason)] if isinstance(yes, _Refused) else yes
        return [ast.Assert(test, no.reason), *rest]
    if isinstance(yes, _Refused):
        return [ast.Assert(opposite, yes.reason), *no]
    return [ast.If(test, yes, no)]


def _program(name, paths, facts, functions, results, count):
    """The tiling rule of the file, compiled."""
    body = _statements(paths, 0, results)
    load = [
        ast.Assign(
            [ast.Name(_variable(fact), ast.Store())],
            ast.Call(ast.Attribute(ast.Name("facts", ast.Load()), "get_value", ast.Load()), [ast.Constant(i)], []),
        )
        for i, fact in enumerate(facts)
    ]
    arguments = ast.arguments([], [ast.arg("facts"), ast.arg("results")], None, [], [], None, [])
    tree = ast.Module([ast.FunctionDef("decide", arguments, load + body, [], None)], [])
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    file = f"<tiling rule of {name}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    variables = {called: asc.jit(function) for called, function in functions.items()}
    exec(compile(text, file, "exec"), variables)
    decide = asc.jit(variables["decide"])
    many = max(len(facts), 1)

    @asc.jit
    def host_rule(facts: asc.GlobalAddress, results: asc.GlobalAddress):
        facts_gm, results_gm = asc.GlobalTensor(), asc.GlobalTensor()
        facts_gm.set_global_buffer(facts, many)
        results_gm.set_global_buffer(results, count)
        decide(facts_gm, results_gm)

    return host_rule.options(always_compile=True).compile(MockTensor(_INT64), MockTensor(_INT64)).binary


# ---------------------------------------------------------------- the interface


def _means_tensor(annotation):
    from pyasc.tensor import Tensor as Real

    return annotation is Real or annotation in ("Tensor", "pyasc.Tensor")


def is_host_function(value):
    """Whether something is a function with a parameter that is annotated Tensor."""
    return inspect.isfunction(value) and any(map(_means_tensor, value.__annotations__.values()))


class _Parameters:
    """The Tensors and numbers that a host function takes."""

    def __init__(self, function, request):
        self.function, self.tensors, self.scalars, self.defaults = function, {}, {}, {}
        signature = inspect.signature(function)
        place = function.__code__.co_filename, function.__code__.co_firstlineno
        general, own = dtypes_of(request, list(signature.parameters))
        for name, parameter in signature.parameters.items():
            annotation = parameter.annotation
            if _means_tensor(annotation):
                self.tensors[name] = own.get(name, general)
            elif name == "total":
                help = "give it another name, or write size for all elements of a Tensor"
                refuse("C313", f"parameter 'total' of {function.__name__}() has the name of a number of the run", help, place)
            elif annotation in (int, float, "int", "float"):
                self.scalars[name] = own.get(name) or (_INT64 if annotation in (int, "int") else _core.DataType("float32"))
                if parameter.default is not inspect.Parameter.empty:
                    self.defaults[name] = _core.number_bits(parameter.default, self.scalars[name], f"the default of '{name}'")
            else:
                refuse("C312", f"nothing tells what '{name}' of {function.__name__}() is", "annotate it: Tensor, int or float", place)
        self.shapes = shapes_of(request, self.tensors)

    def stand_ins(self):
        """Arguments for a run."""
        made = {}
        for name, dtype in self.tensors.items():
            common, sizes = self.shapes[name]
            if common and not sizes:
                made[name] = Tensor(_Unknown(name), dtype, name)
            elif common:
                refuse(
                    "C313", f"--shape {name}: a host function knows all dimensions of its Tensors, or none", "write a name for each of them"
                )
            else:
                shape = tuple(_trace.fact(size) if isinstance(size, str) else size for size in sizes)
                made[name] = Tensor(shape, dtype, name)
        for name, dtype in self.scalars.items():
            made[name] = Value(name) if dtype.is_float() else _trace.fact(name)
        return made


def _compiled(launch):
    """The kernel of a launch, and the names that its programs' parameters have in the file by position: arrays, floats, or None."""
    kernel, stand_ins, given = launch.kernel, {}, {}
    for name, _, _, static, _, _, dtype, _ in _parameters(kernel.fn):
        value = launch.values[name]
        if static is not None:
            if isinstance(value, (Number, Value)):
                message = f"argument '{name}' of kernel '{kernel.__name__}' is an asc.ConstExpr, and not known before there are arrays"
                refuse("C313", message, "give it a value that is known when the file is made")
            stand_ins[name] = value
            continue
        if isinstance(value, Tensor):
            stand_ins[name] = MockTensor(value.dtype)
        elif isinstance(value, (Value, float)) or _is_float(kernel, name, dtype):
            stand_ins[name] = MockValue(dtype or _core.DataType("float32"))
        elif isinstance(value, bool):
            stand_ins[name] = MockValue(_core.DataType("bool"))
        elif _is_integer(value):
            stand_ins[name] = MockValue(dtype or (_INT64 if isinstance(value, Number) else _core.DataType("int32")))
        else:
            help = "pass Tensors, numbers, and values of asc.ConstExpr parameters"
            refuse("C313", f"argument '{name}' of kernel '{kernel.__name__}': got {value!r}", help)
        given[name] = value
    return kernel.options(always_compile=True).compile(**stand_ins), given


def of_function(function, request):
    """(interface, the compiled kernels) of a host function."""
    parameters = _Parameters(function, request)
    with _places(function):
        return _of_function(function, parameters)


def _of_function(function, parameters):
    paths, facts, functions = _explore(function, parameters.stand_ins)
    done = [path[-1] for path in paths if path[-1][0] == "done"]
    name = function.__name__
    if not done:
        reason, error = paths[0][-1][1:]
        if isinstance(error, errors.PyascError):
            raise error
        refuse("C313", f"{name}() refuses everything: {reason}", "have it serve some arrays", _place(function, error))
    launches, temporaries, returned = done[0][1:]
    if not launches:
        refuse("C311", f"{name}() launches nothing", "launch a kernel in it")
    forms = [[[thing.form() for thing in things] for things in path[1:]] for path in done]
    for what, *same in zip(("launches", "makes", "returns"), *forms, strict=True):
        if any(form != same[0] for form in same):
            help = "have it launch the same kernels, with the same options and constants on the same Tensors, and return the same Tensors"
            refuse("C313", f"what {name}() {what} depends on the sizes", help)

    compiled = [_compiled(launch) for launch in launches]
    steps, places, constants = [], [], {}
    made = [tensor for tensor in returned if tensor in temporaries]
    for i, tensor in enumerate(made):
        tensor.name = "result" if len(made) == 1 else f"result{i}"
        if tensor.name in parameters.tensors or tensor.name in parameters.scalars:
            refuse("C313", f"parameter '{tensor.name}' of {name}() has the name of what it returns", "give it another name")
    for i, (kernel, given) in enumerate(compiled):
        places.append((i, None, f"{i}.blocks"))
        names = []
        for parameter, is_array, dtype, *_ in kernel.parameters:
            value = given[parameter]
            if is_array:
                names.append(value.name)
            elif isinstance(value, Value):
                names.append(value.name)
            elif dtype.is_float() or isinstance(value, bool):
                constants[f".c{len(constants)}"] = dtype, _core.number_bits(value, dtype, f"'{parameter}' of kernel '{kernel.name}'")
                names.append(f".c{len(constants) - 1}")
            else:
                names.append(f"{i}.{parameter}")
                places.append((i, parameter, names[-1]))
        steps.append(step_of(launches[i].kernel, kernel, f"{i}.blocks", names))
    sizes = [(k, d, size) for k, tensor in enumerate(temporaries) for d, size in enumerate(tensor.dimensions())]

    def results(launches, temporaries, returned):
        values = [launches[i].blocks if parameter is None else launches[i].values[parameter] for i, parameter, _ in places]
        return values + [temporaries[k].shape[d] for k, d, _ in sizes]

    roles = _roles(parameters, launches, compiled)
    for array in parameters.tensors:
        if array not in roles:
            refuse("C313", f"{name}() does nothing with '{array}'", "leave the parameter out")
    check_shapes(parameters.shapes, roles, {scalar for scalar, dtype in parameters.scalars.items() if not dtype.is_float()})
    has_input = any(role != "output" for role in roles.values())
    listed = [result for *_, result in places] + [result for *_, result in sizes]
    interface = Interface(names_in(parameters.shapes, roles), steps=steps)
    interface.rule = _core.FileRule(_program(name, paths, facts, functions, results, len(listed)), facts, listed)
    for array, dtype in parameters.tensors.items():
        interface.add_array(array, roles[array], dtype, parameters.shapes[array])
    for tensor in temporaries:
        shape = isinstance(tensor.shape, _Unknown), tensor.dimensions()
        interface.add_array(tensor.name, "output" if tensor in made else "workspace", tensor.dtype, shape)
    for scalar, dtype in parameters.scalars.items():
        interface.add_number(scalar, dtype, parameters.defaults.get(scalar), has_input)
    for constant, (dtype, bits) in constants.items():
        interface.add_scalar(constant, dtype, "", bits)
    return interface, [kernel for kernel, _ in compiled]


def _roles(parameters, launches, compiled):
    """What the launches, one after the other, do with the Tensors that the function was given."""
    roles = {}
    for launch, (kernel, given) in zip(launches, compiled, strict=True):
        for name, is_array, _, reads, writes in kernel.parameters:
            if not is_array or given[name].name not in parameters.tensors:
                continue
            if role := launch.roles.get(name):
                reads, writes = role == "input", role == "output" or writes
            before = roles.get(given[name].name)
            now = "inout" if reads and writes else "output" if writes else "input"
            if before is None:
                roles[given[name].name] = now
            elif before == "input" and writes:
                roles[given[name].name] = "inout"
    return roles
