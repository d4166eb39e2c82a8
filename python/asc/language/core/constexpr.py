# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values known while a kernel is compiled."""


class ConstExpr:
    """Marks a compile-time value. As annotation, `ConstExpr` or `ConstExpr[int]` makes a kernel parameter static: any Python object may be
    passed, and each value gets a kernel of its own. An instance wraps a value; inside a kernel it reads as the value."""

    __asc_constexpr__ = True
    __slots__ = ("value",)
    types = ()

    def __init__(self, value):
        self.value = ConstExpr.unwrap(value)

    def __class_getitem__(cls, types):
        types = types if isinstance(types, tuple) else (types,)
        return type("ConstExpr", (ConstExpr,), {"__slots__": (), "types": types, "__module__": cls.__module__})

    @staticmethod
    def unwrap(value):
        return value.value if isinstance(value, ConstExpr) else value

    def __repr__(self):
        return f"ConstExpr({self.value!r})"

    def __str__(self):
        return str(self.value)

    def __format__(self, spec):
        return format(self.value, spec)

    def __eq__(self, other):
        return self.value == ConstExpr.unwrap(other)

    def __hash__(self):
        return hash(self.value)


__all__ = ["ConstExpr"]
