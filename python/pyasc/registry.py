# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels by name: `@pyasc.kernel` puts an `@asc.jit` function into the registry, `Kernel(name)` is a launch of one in the making."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from pyasc import _core, errors, shapes, tiling
from pyasc.stream import Launch
from pyasc.tensor import Tensor, as_tensor, dtype_of, storage_of

Function = TypeVar("Function")

BUILT_IN = {  # name -> module of pyasc.kernels
    **dict.fromkeys(("vec_add_kernel", "vec_sub_kernel", "vec_mul_kernel", "vec_div_kernel", "relu_kernel", "gelu_kernel"), "elementwise"),
    "softmax_kernel": "softmax",
    "fused_layernorm_kernel": "layernorm",
    "rmsnorm_kernel": "rmsnorm",
}
FROM_LAUNCH = "block_dim", "outer", "inner", "count", "total", "rows"  # integers that a kernel gets without asking
_registered: dict[str, Definition] = {}


@dataclass(frozen=True)
class Definition:
    """What the registry knows of a kernel."""

    name: str
    function: Any  # the @asc.jit kernel
    inputs: tuple[str, ...]  # its parameters, by role
    outputs: tuple[str, ...]
    workspaces: Mapping[str, str]  # parameter -> element type
    attributes: Mapping[str, Any]  # name -> default; None: it has to be set
    dtypes: tuple[str, ...]  # of all inputs and outputs, the same for all; empty: any
    shapes: shapes.Rule
    tiling: tiling.Rule | None

    def output_shapes(self, *inputs: tuple[int, ...]) -> list[tuple[int, ...]]:
        """What the shape rule says; AssertionError: it refuses the inputs."""
        rule, count = self.shapes, len(self.outputs)
        found = rule(*inputs)
        every = found if isinstance(found, list) else [found] * count
        if len(every) != count or not all(hasattr(shape, "__len__") for shape in every):
            message = f"shape rule '{getattr(rule, '__name__', rule)}' of kernel '{self.name}' returned {found!r}"
            help = f"the rule has to return a tuple of sizes, or a list with one for each output: {', '.join(self.outputs)}"
            raise errors.error("K161", message, help, tiling.place_of(rule))
        return every

    def accepted(self, inputs: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """The shapes of the outputs for inputs that the shape rule accepts."""
        try:
            return self.output_shapes(*inputs)
        except AssertionError as refusal:
            help = f"the shapes are: {self.shown(inputs)}"
            raise errors.error("K166", f"inputs of kernel '{self.name}': {tiling.reason(refusal)}", help) from None

    def shown(self, inputs: Sequence[tuple[int, ...]]) -> str:
        """The shapes of the inputs, for messages."""
        return ", ".join(f"'{name}' {shape}" for name, shape in zip(self.inputs, inputs, strict=True))

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        code = self.function.fn.__code__
        return tuple(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def kernel(
    name: str,
    *,
    inputs: Sequence[str],
    outputs: Sequence[str],
    workspaces: Sequence[str] | Mapping[str, Any] = (),
    attributes: Mapping[str, Any] | None = None,
    dtypes: Sequence[Any] = (),
    shapes: shapes.Rule = shapes.like_first,
    tiling: tiling.Rule | None = None,
) -> Callable[[Function], Function]:
    """Registers the @asc.jit function below it, which stays what it is, under a name for `Kernel(name)`.

    The arguments of a launch are found by the names of the function's parameters:

    inputs, outputs: arrays, in the order in which `set_input` and `set_output` count them
    workspaces: arrays that only the kernel uses, bytes (uint8); or a dictionary that says the element type of each
    attributes: numbers that `set_attr` sets, with their defaults; None: it has to be set
    block_dim, outer, inner, count: no role is needed: the numbers of the tiling list
    total, rows: no role is needed: elements of the first input, and how many rows of its last dimension that is

    What else a launch has to know:

    dtypes: element types, one of which all inputs and outputs have; without it each may have any
    shapes: a rule of pyasc.shapes or of your own for the shapes of inputs and outputs; default: outputs have the shape of the first input
    tiling: the rule that makes and checks tiling lists: pyasc.tiling.elementwise, pyasc.tiling.rowwise(elements), or your own; without one
        `set_tiling` has to be called"""

    def register(function: Function) -> Function:
        if not isinstance(function, _core.Kernel):
            raise errors.error("K161", f"@pyasc.kernel('{name}'): got {function!r}, expected an @asc.jit kernel", "write @asc.jit below it")
        typed = workspaces if isinstance(workspaces, Mapping) else dict.fromkeys(workspaces, "uint8")
        definition = Definition(
            name,
            function,
            tuple(inputs),
            tuple(outputs),
            {key: dtype_of(dtype, f"workspace '{key}' of kernel '{name}'").name for key, dtype in typed.items()},
            {key: default.item() if isinstance(default, np.generic) else default for key, default in (attributes or {}).items()},
            tuple(dtype_of(dtype, f"dtypes of kernel '{name}'").name for dtype in dtypes),
            shapes,
            tiling,
        )
        _check(definition)
        _registered[name] = definition
        return function

    return register


def _check(definition: Definition) -> None:
    """Refuses what no launch could serve, at the line of the function."""
    function, name = definition.function, definition.name
    code = function.fn.__code__

    def refuse(problem: str, help: str) -> None:
        raise errors.error("K161", f"@pyasc.kernel('{name}'): {problem}", help, (code.co_filename, code.co_firstlineno))

    roles = [*definition.inputs, *definition.outputs, *definition.workspaces, *definition.attributes]
    for role in roles:
        if roles.count(role) > 1:
            refuse(f"'{role}' has two roles", "a name is an input, an output, a workspace or an attribute")
        if role in FROM_LAUNCH:
            refuse(f"'{role}' is a number that every kernel gets, and has a role", f"names without a role: {', '.join(FROM_LAUNCH)}")
    for attribute, default in definition.attributes.items():
        if default is not None and not isinstance(default, (bool, int, float)):
            refuse(f"the default of attribute '{attribute}' is {default!r}", "attributes are numbers, or None: it has to be set")
        if attribute in tiling.FACTS:
            refuse(f"attribute '{attribute}' has the name of a number that tiling rules ask for", "give it another name")
    if not definition.inputs and not definition.outputs:
        refuse("the kernel has neither inputs nor outputs", "write inputs=(...) and outputs=(...)")
    rule = () if definition.tiling is None else tiling.parameters(definition.tiling)
    for role in roles:
        if role not in definition.parameters and not (role in definition.attributes and role in rule):
            refuse(f"'{role}' is no parameter of '{function.__name__}'", f"its parameters are: {', '.join(definition.parameters)}")
    for parameter in definition.parameters:
        if parameter not in roles and parameter not in FROM_LAUNCH:
            help = f"name it in inputs, outputs, workspaces or attributes; without a role are: {', '.join(FROM_LAUNCH)}"
            refuse(f"parameter '{parameter}' of '{function.__name__}' has no role", help)
    for parameter in rule:
        if parameter not in (*tiling.FACTS, *tiling.LIST, *definition.attributes):
            help = f"a rule may ask for: {', '.join((*tiling.FACTS, *tiling.LIST, *definition.attributes))}"
            refuse(f"its tiling rule has an unknown parameter '{parameter}'", help)
    if name in BUILT_IN and Path(code.co_filename).parts[-3:] != ("pyasc", "kernels", f"{BUILT_IN[name]}.py"):
        refuse("the name is that of a kernel of pyasc", "choose another name")
    other = _registered[name].function if name in _registered else function
    file, other_file = Path(code.co_filename).resolve(), Path(other.fn.__code__.co_filename).resolve()
    # A cell of a notebook; a module under another name; another copy of a kernel of pyasc, to be looked at.
    again = function.__module__ == other.__module__ or file == other_file or name in BUILT_IN
    if not again or other.__qualname__ != function.__qualname__:
        refuse(f"the name is taken by '{other.__qualname__}' of module '{other.__module__}'", "choose another name")


def names() -> list[str]:
    """All kernels that `Kernel(name)` finds."""
    return sorted({*BUILT_IN, *_registered})


def find(name: str) -> Definition:
    """The kernel of a name; those of pyasc are loaded when somebody wants them."""
    if name in BUILT_IN and name not in _registered:
        from importlib import import_module

        import_module(f"pyasc.kernels.{BUILT_IN[name]}")
    if not isinstance(name, str) or name not in _registered:
        near = errors.nearest(name, names())
        help = f"did you mean '{near}'?" if near else f"registered are: {', '.join(names())}"
        raise errors.error("K160", f"there is no kernel {name!r}", help)
    return _registered[name]


def definition_of(function: object) -> Definition | None:
    """What an @asc.jit kernel was registered with; None: it was not."""
    return next((definition for definition in _registered.values() if definition.function is function), None)


class Kernel:
    """A kernel of the registry and the arguments of its next launch: `Stream.launch(kernel)` takes them as they are then.

    name: a kernel of pyasc, vec_add_kernel, vec_sub_kernel, vec_mul_kernel, vec_div_kernel, relu_kernel, gelu_kernel, softmax_kernel,
        fused_layernorm_kernel or rmsnorm_kernel, or one registered by @pyasc.kernel

    The calls that set something may come in any order, and again for the next launch."""

    def __init__(self, name: str) -> None:
        self._definition = find(name)
        self._tiling: Any = None
        self._arrays: dict[str, Tensor] = {}
        self._workspaces: dict[str, int] = {}
        self._attributes = dict(self._definition.attributes)

    @property
    def name(self) -> str:
        """Its name in the registry."""
        return self._definition.name

    def set_tiling(self, tiling: Sequence[int] | None) -> None:
        """How the work is cut up, `[block_dim, outer, inner, count]`; None, as before the first call: the kernel's rule chooses.

        block_dim: blocks, each of which runs on a core
        outer, inner, count: for element-wise kernels 1, 1 and the elements of one block; for kernels that work on rows 1, the length of a
            row, and the rows handled at a time

        Whether the list fits the inputs is checked by the launch, because both may still change."""
        self._tiling = tiling if tiling is None or not isinstance(tiling, (list, tuple, np.ndarray)) else [*map(_plain, tiling)]

    def set_input(self, index: int, tensor: Any) -> None:
        """Input number `index`, from 0: a Tensor, or an array of NumPy or torch, whose memory is used where it lies."""
        self._set(self._definition.inputs, "input", index, tensor)

    def set_output(self, index: int, tensor: Any) -> None:
        """Output number `index`, from 0: a Tensor, or an array of NumPy or torch that can be written; its old content is lost."""
        self._set(self._definition.outputs, "output", index, tensor)

    def set_workspace(self, index: int, bytes: int) -> None:
        """How many bytes workspace number `index`, from 0, has. Every launch gets memory of its own, with undefined content."""
        names = tuple(self._definition.workspaces)
        name = self._name(names, "workspace", index)
        itemsize = _core_dtype(self._definition.workspaces[name]).sizeof()
        if isinstance(bytes, bool) or not isinstance(bytes, int) or bytes < 0 or bytes % itemsize:
            expected = "a number of bytes" if itemsize == 1 else f"a number of bytes, a multiple of {itemsize}"
            raise errors.error("K166", f"workspace {index} of kernel '{self.name}': got {bytes!r}, expected {expected}", "0 is none")
        self._workspaces[name] = bytes // itemsize

    def set_attr(self, name: str, value: Any) -> None:
        """An attribute: a number, of the kind that its default is."""
        if name not in self._attributes:
            near = errors.nearest(name, self._attributes)
            help = f"did you mean '{near}'?" if near else f"its attributes are: {', '.join(self._attributes) or 'none'}"
            raise errors.error("K165", f"kernel '{self.name}' has no attribute {name!r}", help)
        self._attributes[name] = _attribute(self.name, name, value, self._definition.attributes[name])

    def _set(self, names: tuple[str, ...], what: str, index: int, value: Any) -> None:
        name = self._name(names, what, index)
        where = f"{what} {index} ('{name}') of kernel '{self.name}'"
        tensor = as_tensor(value, where)
        allowed = self._definition.dtypes
        if allowed and tensor.dtype.name not in allowed:
            raise errors.error("K167", f"{where}: got a tensor of {tensor.dtype}, expected {' or '.join(allowed)}", "convert it before")
        if what == "output" and not tensor.writable:
            help = "pass a writable array, such as a copy"
            raise errors.error("K130", f"output {index} of kernel '{self.name}' is a read-only array", help)
        self._arrays[name] = tensor

    def _name(self, names: tuple[str, ...], what: str, index: int) -> str:
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(names):
            listed = ", ".join(f"{number} '{name}'" for number, name in enumerate(names)) or "none"
            message = f"set_{what}() of kernel '{self.name}': index: got {index!r}, expected {_numbers(len(names))}"
            raise errors.error("K162", message, f"its {what}s are: {listed}")
        return names[index]

    def prepare(self) -> Launch:
        """Checks the arguments and makes a launch of them; what is set later does not change it."""
        definition = self._definition
        self._check_complete()
        first = self._arrays[(*definition.inputs, *definition.outputs)[0]]
        self._check_dtypes(first)
        self._check_shapes()
        facts = tiling.facts(first.shape, first.dtype.sizeof())
        listed = tiling.choose(self.name, definition.tiling, self._tiling, facts | self._attributes)
        numbers = dict(zip(tiling.LIST, listed, strict=True))
        numbers |= {"total": facts["total"], "rows": facts["total"] // max(1, facts["row"])}
        arrays = {name: tensor._array for name, tensor in self._arrays.items()}
        for name, count in self._workspaces.items():
            dtype = _core_dtype(definition.workspaces[name])
            arrays[name] = np.full(count * dtype.sizeof(), 0xCD, np.uint8).view(storage_of(dtype))
        values = numbers | self._attributes | arrays
        arguments = {parameter: values[parameter] for parameter in definition.parameters}
        function, cores = definition.function, listed[0]

        def call() -> _core.LaunchResult | None:
            function[cores](**arguments)
            return function.last_launch

        return Launch(self.name, call, [self._arrays[name] for name in definition.outputs])

    def _check_complete(self) -> None:
        definition = self._definition
        missing = [
            f"set_{what}({number}, ...) for '{name}'"
            for what, names, there in [
                ("input", definition.inputs, self._arrays),
                ("output", definition.outputs, self._arrays),
                ("workspace", definition.workspaces, self._workspaces),
            ]
            for number, name in enumerate(names)
            if name not in there
        ]
        missing += [f"set_attr('{name}', ...)" for name, value in self._attributes.items() if value is None]
        if missing:
            raise errors.error(
                "K163", f"kernel '{self.name}' is launched before {missing[0]}", f"call before the launch: {', '.join(missing)}"
            )

    def _check_dtypes(self, first: Tensor) -> None:
        definition = self._definition
        if not definition.dtypes:
            return
        for what, names in [("input", definition.inputs), ("output", definition.outputs)]:
            for number, name in enumerate(names):
                dtype = self._arrays[name].dtype
                if dtype != first.dtype:
                    message = f"{what} {number} ('{name}') of kernel '{self.name}' has the element type {dtype}, expected {first.dtype}"
                    raise errors.error("K167", message, "all inputs and outputs of this kernel have one element type")

    def _check_shapes(self) -> None:
        definition = self._definition
        inputs = [self._arrays[name].shape for name in definition.inputs]
        if not inputs:
            return
        expected = definition.accepted(inputs)
        for number, (name, shape) in enumerate(zip(definition.outputs, expected, strict=True)):
            found = self._arrays[name].shape
            if found != shape:
                message = f"output {number} ('{name}') of kernel '{self.name}' has the shape {found}, expected {shape}"
                raise errors.error("K166", message, f"the shapes of the inputs are: {definition.shown(inputs)}")

    def __repr__(self) -> str:
        return f"<pyasc.Kernel '{self.name}'>"


def _core_dtype(name: str) -> _core.DataType:
    return dtype_of(name, name)


def _plain(number: Any) -> Any:
    return int(number) if isinstance(number, np.integer) else number


def _numbers(count: int) -> str:
    return "none, for there are none" if count == 0 else "0" if count == 1 else f"0 to {count - 1}"


def _attribute(kernel: str, name: str, value: Any, default: Any) -> Any:
    """The value of an attribute as a Python number of the kind of its default."""
    plain = value.item() if isinstance(value, np.generic) else value
    kinds: tuple[type, ...] = (bool,) if isinstance(default, bool) else (int,) if isinstance(default, int) else (int, float)
    if not isinstance(plain, kinds) or (isinstance(plain, bool) and bool not in kinds):
        message = f"attribute '{name}' of kernel '{kernel}': got {value!r} of type {type(value).__name__}, expected {kinds[-1].__name__}"
        raise errors.error("K165", message, f"its default is {default!r}")
    return float(plain) if isinstance(default, float) else plain
