# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structure classes as the compiler sees them: subclasses of Struct, and dataclasses whose fields are numbers and structures."""

import enum
import functools
import sys
from types import ModuleType, SimpleNamespace

import numpy as np

from pyasc import _core

# dataclasses and typing are imported where a dataclass is there: importing them takes as long as importing asc.

_PYTHON = {bool: "bool", int: "int32", float: "float32"}
_DTYPES = {str(dtype): dtype for dtype in _core.dtypes if not dtype.is_void()}


def scalar_type(annotation):
    """The dtype that an annotation names: asc.int16, np.float16; else None."""
    if isinstance(annotation, type) and issubclass(annotation, np.generic):
        return _DTYPES.get(annotation.__name__.rstrip("_"))
    return annotation if isinstance(annotation, _core.DataType) and not annotation.is_void() else None


def is_structure(annotation):
    """Whether an annotation is a class that may be passed by value: a dataclass or a subclass of Struct."""
    return isinstance(annotation, type) and (hasattr(annotation, "__dataclass_fields__") or hasattr(annotation, "__asc_fields__"))


def field_type(annotation):
    """The dtype or structure class of a field; else None. An int is int32, a float float32."""
    if isinstance(annotation, type) and issubclass(annotation, enum.IntEnum):
        annotation = int
    if isinstance(annotation, type) and annotation in _PYTHON:
        return _DTYPES[_PYTHON[annotation]]
    return scalar_type(annotation) or (annotation if is_structure(annotation) and not describe(annotation).problem else None)


def _hints(cls):
    """Annotations of a dataclass, those that are text looked up."""
    import dataclasses
    import typing

    try:
        return typing.get_type_hints(cls)
    except Exception:  # a name of a function around the class, or one for type checkers only
        names = {**vars(sys.modules.get(cls.__module__, typing)), **vars(cls)}
        return {field.name: _looked_up(field.type, names) for field in dataclasses.fields(cls)}


def _looked_up(annotation, names):
    try:
        return eval(annotation, names) if isinstance(annotation, str) else annotation
    except Exception:
        return annotation


def _meanings(cls, seen):
    """What the annotations of a structure class that are text depend on, those of inner structures included: pairs of a dictionary or
    class and a name that is looked up there."""
    if id(cls) in seen:
        return []
    seen.add(id(cls))
    if hasattr(cls, "__asc_fields__"):
        meanings, inner = [], [field.type for field in cls.__asc_fields__.values()]
    else:
        meanings, inner = _lookups(cls), _hints(cls).values()
    return meanings + [meaning for one in inner if is_structure(one) for meaning in _meanings(one, seen)]


def _lookups(cls):
    import dataclasses

    names = {name for field in dataclasses.fields(cls) if isinstance(field.type, str) for name in _names(field.type)}
    classes = cls.__mro__[:-1]
    owners = [vars(sys.modules[one.__module__]) for one in classes if one.__module__ in sys.modules] + list(classes)
    lookups, done = [], set()
    for owner in owners if names else ():  # it grows: an annotation may say module.name
        if id(owner) in done or getattr(owner, "__module__", "") == "builtins":
            continue
        done.add(id(owner))
        held = vars(owner) if isinstance(owner, type) else owner
        lookups += [(owner, name) for name in names if name in held or owner is held]
        found = [held[name] for name in names if name in held]
        owners += [vars(value) if isinstance(value, ModuleType) else value for value in found if isinstance(value, (ModuleType, type))]
    return lookups


def _names(text):
    try:
        return compile(text, "annotation", "eval").co_names
    except (SyntaxError, ValueError):  # no lookup can make sense of it
        return ()


@functools.cache
def _example():
    import dataclasses

    return dataclasses.make_dataclass("_Example", [("number", int)])


def _is_generated(cls, name):
    """Whether @dataclass wrote this method, for all fields of the class: another is not there, inherited, or the user's."""
    owner = next(base for base in cls.__mro__ if name in vars(base) or "__dataclass_params__" in vars(base))
    code = getattr(vars(owner).get(name), "__code__", None)
    return code is not None and code.co_qualname == getattr(_example(), name).__code__.co_qualname


def _no_constructor(cls):
    """Why a kernel cannot make instances of a dataclass, or ""."""
    import dataclasses

    if hasattr(cls, "__post_init__"):
        return "__post_init__ is a plain Python function"
    if not _is_generated(cls, "__init__"):
        return "its __init__ is not the one that @dataclass makes of the fields"
    if any(field._field_type is dataclasses._FIELD_INITVAR for field in cls.__dataclass_fields__.values()):
        return "it has an InitVar"
    return ""


def _no_equality(cls):
    """Why a kernel cannot compare instances of a dataclass, or ""."""
    if cls.__ne__ is not object.__ne__:
        return "it has a __ne__ of its own"
    return "" if _is_generated(cls, "__eq__") else "its __eq__ is not the one that @dataclass makes of the fields"


def _of_dataclass(cls):
    import dataclasses

    hints, problem = _hints(cls), ""
    fields = []
    for field in dataclasses.fields(cls):
        annotation = hints.get(field.name, field.type)
        kind = field_type(annotation)
        if kind is None:
            shown = annotation.__name__ if isinstance(annotation, type) else annotation
            problem = problem or f"its field '{field.name}' is annotated {shown}, which is neither a number type nor a structure"
        factory = field.default_factory is not dataclasses.MISSING
        default = field.default_factory if factory else field.default
        fields.append(
            SimpleNamespace(
                name=field.name,
                ascendc=field.name,
                type=kind,
                keyword_only=field.kw_only,
                in_constructor=field.init,
                has_default=default is not dataclasses.MISSING,
                default=default,
                is_factory=factory,
                compared=field.compare,
            )
        )
    if not fields:
        problem = "it has no fields"
    return SimpleNamespace(
        problem=problem,
        no_constructor=_no_constructor(cls),
        no_equality=_no_equality(cls),
        pack=8,
        header="",
        frozen=cls.__dataclass_params__.frozen,
        fields=fields,
    )


def _of_struct(cls):
    fields = [
        SimpleNamespace(
            name=name,
            ascendc=field.name,
            type=field.type,
            keyword_only=False,
            in_constructor=True,
            has_default=field.has_default,
            default=field.make_default,
            is_factory=True,
            compared=True,
        )
        for name, field in cls.__asc_fields__.items()
    ]
    problem = "" if fields else "it has no fields"
    base = next(base for base in reversed(cls.__mro__) if hasattr(base, "__asc_pack__"))  # Struct
    own = cls.__eq__ is not base.__eq__ or cls.__ne__ is not base.__ne__
    return SimpleNamespace(
        problem=problem,
        no_constructor="",
        no_equality="it has an __eq__ or __ne__ of its own" if own else "",
        pack=cls.__asc_pack__,
        header=cls.__asc_header__,
        frozen=False,
        fields=fields,
    )


_open = []  # classes being described


def describe(cls):
    """Name, problem (why it cannot be used, or ""), no_constructor (why a kernel cannot make one, or ""), no_equality (why a kernel
    cannot compare two, or ""), pack, header, frozen, and fields of a structure class."""
    if any(other is cls for other in _open):
        return SimpleNamespace(problem="it contains itself")
    _open.append(cls)
    try:
        description = _of_struct(cls) if hasattr(cls, "__asc_fields__") else _of_dataclass(cls)
    finally:
        _open.pop()
    description.name = cls.__name__
    return description


def describe_whole(cls):
    """The same, and meanings: where the names in its annotations are looked up."""
    description = describe(cls)
    description.meanings = _meanings(cls, set())
    return description
