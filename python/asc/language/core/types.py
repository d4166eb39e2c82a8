# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameter structures, made from the definitions in the extension."""

import inspect

from pyasc import _core, errors
from pyasc._core import ShapeInfo

from asc.language.core import enums


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
    fields = [(field, getattr(enums, enum)(default) if enum else default, *rest) for field, default, *rest, enum in fields]
    about = [f"{field}: {meaning}" + ("" if default is None else f" (default {default!s})") for field, default, meaning, *_ in fields]
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


_structs = {name: _make(name, fields, doc) for name, fields, doc in _core.structs()}
globals().update(_structs)
__all__ = ["ShapeInfo", *_structs]
