# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shapes, and the parameter structures: made from the definitions in the extension, those of the cube core from the table in cube_types."""

import inspect

from pyasc import _core, errors
from pyasc._core import ShapeInfo, get_shape_size

from asc.language.core import cube_types, enums


class TensorShape(tuple):
    """A tuple of ints, made of nothing, None, an int, several ints, or an iterable of ints."""

    __slots__ = ()

    def __new__(cls, *sizes):
        if len(sizes) == 1 and (sizes[0] is None or hasattr(sizes[0], "__iter__")):
            sizes = () if sizes[0] is None else tuple(sizes[0])
        for size in sizes:
            if not isinstance(size, int) or isinstance(size, bool):
                raise TypeError(f"TensorShape: got {size!r}, expected an int")
        return super().__new__(cls, sizes)


class _Signature:
    """The parameters of a structure's constructor, for help() and editors; made when somebody asks."""

    def __get__(self, instance, owner):
        from inspect import Parameter, Signature

        parameters = []
        for name, (default, _, optional) in getattr(owner, "_fields", {}).items():
            shown = Parameter.empty if default is None and not optional else default
            parameters.append(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=shown))
        return Signature(parameters)


class Struct:
    """Base of the parameter structures: fields by position or keyword, the rest at their defaults."""

    __slots__ = ()
    __signature__ = _Signature()

    def __init__(self, *values, **named):
        fields = self.__slots__
        help = f"fields: {', '.join(fields)}"
        if len(values) > len(fields):
            raise errors.error("K151", f"{type(self).__name__}: got {len(values)} values, expected at most {len(fields)}", help)
        given = dict(zip(fields, values, strict=False))
        for name, value in named.items():
            if name not in fields or name in given:
                what = "is given twice" if name in given else "does not exist"
                raise errors.error("K151", f"{type(self).__name__}: field '{name}' {what}", help)
            given[name] = value
        for name, (default, length, optional) in self._fields.items():
            value = given.get(name, default)
            if value is None and not optional:
                raise errors.error("K151", f"{type(self).__name__}: field '{name}' is missing", help)
            if length and not (isinstance(value, list) and len(value) == length):
                got = f"a list of {len(value)}" if isinstance(value, list) else type(value).__name__
                raise errors.error("K151", f"{type(self).__name__}: field '{name}' is {got}, expected a list of {length} numbers", help)
            setattr(self, name, value)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None


def _make(name, fields, doc):
    """A structure: its fields are (name, default or None, meaning, length of a list or 0, whether it may be None)."""
    about = [f"{field}: {meaning}" + ("" if default is None else f" (default {default!s})") for field, default, meaning, _, _ in fields]
    members = {
        "__slots__": tuple(field for field, *_ in fields),
        "_fields": {field: (default, length, optional) for field, default, _, length, optional in fields},
        "__asc_struct__": name,
        "__signature__": inspect.Signature(
            [inspect.Parameter(field, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default) for field, default, *_ in fields]
        ),
        "__doc__": "\n".join([doc, "", *about]),
        "__module__": __name__,
    }
    return type(name, (Struct,), members)


def _fields(fields):
    for field, default, meaning, length, optional, enum in fields:
        yield field, getattr(enums, enum)(default) if enum and default is not None else default, meaning, length, optional


def _cube_fields(fields):
    for name, (default, meaning) in fields.items():
        optional = default is None
        yield name, None if default is cube_types.NEEDED else default, meaning, 0, optional


_structs = {name: _make(name, [*_fields(fields)], doc) for name, fields, doc in _core.structs()}
_structs |= {name: _make(name, [*_cube_fields(fields)], doc) for name, (doc, fields) in cube_types.STRUCTURES.items()}
FixpipeConfig = _structs["FixpipeConfig"]
FixpipeConfig.cfg_nz = classmethod(lambda cls: cls(enums.CO2Layout.NZ))
FixpipeConfig.cfg_row_major = classmethod(lambda cls: cls(enums.CO2Layout.ROW_MAJOR))
globals().update(_structs)
__all__ = ["ShapeInfo", "TensorShape", "get_shape_size", *_structs]
