# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of the registry as operators of torch: they work in torch.compile, with autograd, and show in torch.profiler."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pyasc import errors
from pyasc.registry import Definition, Kernel, find

_TYPES = {bool: "bool", int: "int", float: "float"}


def torch_op(
    kernel: str,
    name: str | None = None,
    *,
    fake: Callable[..., Any] | None = None,
    backward: Callable[..., Any] | None = None,
    setup_context: Callable[..., Any] | None = None,
) -> Any:
    """A kernel that @pyasc.kernel has registered, or one of pyasc, as a `torch.library` custom op: a function of the kernel's inputs, CPU
    tensors, and its attributes, that returns the output, or a tuple of the outputs.

    kernel: its name in the registry
    name: of the op, "namespace::name"; default: "pyasc::" and the name of the kernel
    fake: gives empty outputs for inputs and attributes, for torch.compile and to make the real ones; default: as the kernel's shape rule
        says, in the element type of the first input
    backward, setup_context: gradients, as `torch.library.register_autograd` wants them; without them the op has none

    Raises K160 for a kernel that there is not, K161 for one without inputs or outputs, another form of name, or setup_context alone.
    A call raises what a launch does: K166 where the shape rule refuses the inputs, K167 for other element types.

    The op runs when it is called, on the calling thread. Inputs that are not contiguous are copied."""
    definition = find(kernel)
    name = f"pyasc::{definition.name}" if name is None else name
    count = len(definition.inputs)
    if not definition.outputs or not definition.inputs:
        help = "an operator of torch makes its outputs from its inputs"
        raise errors.error("K161", f"torch_op('{kernel}'): the kernel has no {'outputs' if definition.inputs else 'inputs'}", help)
    if not re.fullmatch(r"[^\W\d]\w*::[^\W\d]\w*", name):
        help = f"write '{name or 'namespace'}::{definition.name}'" if re.fullmatch(r"\w*", name) else "namespace and name are identifiers"
        raise errors.error("K161", f"torch_op('{kernel}'): name: got '{name}', expected 'namespace::name'", help)
    if setup_context is not None and backward is None:
        help = "give backward, the gradient for which it keeps something, or leave both out"
        raise errors.error("K161", f"torch_op('{kernel}'): got setup_context without backward", help)
    import torch

    attributes = sorted(definition.attributes, key=lambda key: definition.attributes[key] is not None)  # those without a default first

    def complete(values: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
        """All arguments in order: torch leaves out those that are at their defaults."""
        given = dict(zip([*definition.inputs, *attributes], values, strict=False)) | named
        return [given[key] for key in definition.inputs] + [given.get(key, definition.attributes[key]) for key in attributes]

    def empty(*given: Any, **named: Any) -> Any:
        values = complete(given, named)
        if fake is not None:
            return fake(*values)
        expected = definition.accepted([tuple(value.shape) for value in values[:count]])
        made = tuple(values[0].new_empty(shape) for shape in expected)
        return made if len(made) > 1 else made[0]

    def run(*given: Any, **named: Any) -> Any:
        values = complete(given, named)
        made = empty(*values)
        launch = Kernel(definition.name)
        for number, value in enumerate(values[:count]):
            launch.set_input(number, value.contiguous())
        for number, value in enumerate(made if isinstance(made, tuple) else (made,)):
            launch.set_output(number, value)
        for key, value in zip(attributes, values[count:], strict=True):
            launch.set_attr(key, value)
        launch.prepare().call()
        return made

    op = torch.library.custom_op(name, run, mutates_args=(), device_types="cpu", schema=_schema(definition, attributes))
    op.register_fake(empty)
    if backward is not None:
        op.register_autograd(backward, setup_context=setup_context)
    return op


def _schema(definition: Definition, attributes: list[str]) -> str:
    parameters = [f"Tensor {name}" for name in definition.inputs]
    for name in attributes:
        default = definition.attributes[name]
        parameters.append(f"float {name}" if default is None else f"{_TYPES[type(default)]} {name}={default}")
    outputs = ", ".join(["Tensor"] * len(definition.outputs))
    return f"({', '.join(parameters)}) -> {outputs if len(definition.outputs) == 1 else f'({outputs})'}"
