# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiling: how the work of a kernel is cut up, as the list `[block_dim, outer, inner, count]`.

A tiling rule is a function that gives this list. Its parameters are any of
- total: elements of the first input; row: its last dimension (1 if it has none); itemsize: bytes of an element
- cores: vector cores of the chip
- block_dim, outer, inner, count: the list that `Kernel.set_tiling` was given, all 0 if it was not called
- the attributes of the kernel
It refuses what the kernel cannot do by `assert condition, "reason"`, and it is written as a kernel could be, with numbers, `if`, `min`,
`max`, `//` and `%`, so that it can be compiled for hosts without Python."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from pyasc import _core, errors

LIST = "block_dim", "outer", "inner", "count"
FACTS = "total", "row", "itemsize", "cores"
Rule = Callable[..., list[int]]
_WORTH_A_BLOCK = 2048  # elements: with fewer, starting a block takes longer than its work
_TURNS = 4  # of loading, computing and storing that a block should have, so that they overlap


def elementwise(total: int, itemsize: int, cores: int, block_dim: int = 0, outer: int = 0, inner: int = 0, count: int = 0) -> list[int]:
    """The rule of kernels that compute each element by itself: `count` elements for each of `block_dim` blocks, `outer` and `inner` are 1.

    Chosen: a block per core, fewer for short arrays, and whole blocks of 32 bytes, so that cores do not share one."""
    if block_dim == 0:
        per_block = 32 // itemsize
        wanted = max(1, min(cores, (total + _WORTH_A_BLOCK - 1) // _WORTH_A_BLOCK))
        share = (total + wanted - 1) // wanted
        share = max(1, (share + per_block - 1) // per_block) * per_block
        return [max(1, (total + share - 1) // share), 1, 1, share]
    assert outer == 1 and inner == 1, "outer and inner of an element-wise kernel are 1"
    assert block_dim * count >= total, "block_dim * count is less than the number of elements"
    return [block_dim, outer, inner, count]


@lru_cache(None)  # one rule for one capacity
def rowwise(elements: int) -> Rule:
    """The rule of kernels that compute each row by itself: `inner` is the length of a row, `outer` is 1, and a block works on `count` rows
    at a time, for which its buffers have room for `elements` elements, each row filled up to blocks of 32 bytes. Longer rows need
    `count` 1: the kernel reads them in pieces. The blocks share the rows evenly, so every number of rows is covered.

    Chosen: a block per core, and as many rows at a time as there is room for, but not all of them: while a block works on some, it loads
    the next."""

    def rule(
        total: int, row: int, itemsize: int, cores: int, block_dim: int = 0, outer: int = 0, inner: int = 0, count: int = 0
    ) -> list[int]:
        per_block = 32 // itemsize
        padded = max(1, (row + per_block - 1) // per_block) * per_block
        most = max(1, elements // padded)
        if block_dim == 0:
            rows = total // max(1, row)
            blocks = max(1, min(cores, rows))
            share = (rows + blocks - 1) // blocks
            wanted = max((share + _TURNS - 1) // _TURNS, _WORTH_A_BLOCK // padded)
            return [blocks, 1, row, max(1, min(most, share, wanted))]
        assert outer == 1, "outer of a kernel that works on rows is 1"
        assert inner == row, "inner is not the length of a row"
        assert 1 <= count, "count is less than one row"
        assert count <= most, "count rows at a time are more than fit into the buffers of a core"
        return [block_dim, outer, inner, count]

    return rule


# ---------------------------------------------------------------- what a kernel does with its rule


def reason(refusal: AssertionError) -> str:
    """Why a rule refuses, in its own words; pytest adds lines to them."""
    return str(refusal).split("\n")[0] or "an assertion of its rule fails"


@lru_cache(256)  # inspect.signature takes longer than all else that a launch does
def parameters(rule: Rule) -> tuple[str, ...]:
    return tuple(inspect.signature(rule).parameters)


def is_used(rule: Rule, parameter: str) -> bool:
    """Whether the code of a rule mentions one of its parameters."""
    for instruction in dis.get_instructions(rule):
        named = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)  # some load two at once
        if parameter in named:
            return True
    return False


def facts(shape: tuple[int, ...], itemsize: int) -> dict[str, int]:
    """What a rule may ask about the first input."""
    total = 1
    for size in shape:
        total *= size
    return {"total": total, "row": shape[-1] if shape else 1, "itemsize": itemsize, "cores": _core.vector_cores(_core.current_target())}


def _is_list(value: Any) -> bool:
    return (
        isinstance(value, (list, tuple))
        and len(value) == len(LIST)
        and all(isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 2**47 for number in value)
        and 1 <= value[0] <= 65535
    )


def choose(name: str, rule: Rule | None, given: Any, known: dict[str, Any]) -> list[int]:
    """The list for a launch of the kernel `name`: the one that was given, if the rule accepts it, else the rule's own. `known` has the
    facts and the attributes."""
    form = "a list of four numbers [block_dim, outer, inner, count], block_dim from 1 to 65535, none negative"
    if rule is None:
        if given is None:
            raise errors.error("K164", f"kernel '{name}' has no tiling rule", f"call set_tiling() with {form}")
        if not _is_list(given):
            raise errors.error("K164", f"tiling of kernel '{name}': got {given!r}, expected {form}", "count the entries")
        return list(given)

    def ask(listed: Any) -> Any:
        everything = known | dict(zip(LIST, listed, strict=True))
        return rule(**{parameter: everything[parameter] for parameter in parameters(rule)})

    def propose() -> str:
        try:
            return f"set_tiling({ask((0, 0, 0, 0))}) is valid here, and what is taken without set_tiling"
        except AssertionError as refusal:
            return f"there is no valid list for these inputs: {reason(refusal)}"

    if given is not None and not _is_list(given):
        raise errors.error("K164", f"tiling of kernel '{name}': got {given!r}, expected {form}", propose())
    asks_for_it = any(parameter in LIST for parameter in parameters(rule))
    try:
        chosen = ask((0, 0, 0, 0) if given is None else given)
    except AssertionError as refusal:
        shown = ", ".join(f"{fact}={value}" for fact, value in known.items() if fact in parameters(rule))
        if given is None:
            message = f"kernel '{name}' refuses these inputs: {reason(refusal)} ({shown})"
            raise errors.error("K164", message, "pass inputs that its tiling rule accepts, or call set_tiling()") from None
        raise errors.error("K164", f"tiling {list(given)} of kernel '{name}': {reason(refusal)} ({shown})", propose()) from None
    if not _is_list(chosen):
        help = f"the rule has to return {form}"
        raise errors.error(
            "K161", f"tiling rule '{getattr(rule, '__name__', rule)}' of kernel '{name}' returned {chosen!r}", help, place_of(rule)
        )
    return list(given) if given is not None and not asks_for_it else list(chosen)


def place_of(rule: Callable[..., Any]) -> tuple[str, int] | None:
    code = getattr(rule, "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else None
