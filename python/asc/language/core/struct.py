# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structures that are passed to kernels by value. A dataclass whose fields are numbers and structures is one too."""

import ctypes
from abc import ABC, abstractmethod

from pyasc import _core, errors

_MISSING = object()


class BaseField(ABC):
    """A field of a Struct: a descriptor that checks what is stored. `name` is the name in Ascend C, the Python one unless it is given."""

    def __init__(self, default=_MISSING, name=None):
        self.default, self.name = default, name

    def __set_name__(self, owner, name):
        self.key = name
        self.name = self.name or name

    def __get__(self, instance, owner=None):
        return self if instance is None else instance.__dict__[self.key]

    def __set__(self, instance, value):
        instance.__dict__[self.key] = self.checked(value, f"field '{self.key}' of {type(instance).__name__}")

    @property
    def has_default(self):
        return self.default is not _MISSING

    @abstractmethod
    def checked(self, value, what):
        """The value as it is kept; raises K120, K123 or K124."""

    @abstractmethod
    def make_default(self):
        """A default value."""

    @abstractmethod
    def size_and_alignment(self):
        """Bytes of the field, and what its offset would be a multiple of without packing."""

    @abstractmethod
    def image(self, value):
        """The bytes of a value."""


class Field(BaseField):
    """A number of type `dtype` (any but void). `enum`, the C++ enumeration that it stands for, has no effect."""

    def __init__(self, dtype, default=_MISSING, name=None, enum=None):
        if not isinstance(dtype, _core.DataType) or dtype.is_void():
            raise errors.error("K151", f"Field: got {dtype!r}, expected the dtype of a number", "write Field(asc.int32)")
        super().__init__(default, name)
        self.type = self.dtype = dtype
        self.enum = enum
        if default is not _MISSING:
            self.checked(default, "the default of a Field")

    def checked(self, value, what):
        _core.number_bits(value, self.dtype, what)
        return value

    def make_default(self):
        return self.default

    def size_and_alignment(self):
        return self.dtype.sizeof(), self.dtype.sizeof()

    def image(self, value):
        return _core.number_bits(value, self.dtype, "the field").to_bytes(8, "little")[: self.dtype.sizeof()]


class StructField(BaseField):
    """A structure within the structure; it is copied. Without a `default` it is `struct_cls()`."""

    def __init__(self, struct_cls, default=None, name=None):
        if not (isinstance(struct_cls, type) and issubclass(struct_cls, Struct)) or struct_cls is Struct:
            raise errors.error("K151", f"StructField: got {struct_cls!r}, expected a subclass of Struct", "write StructField(Inner)")
        super().__init__(default, name)
        self.type = self.struct_cls = struct_cls
        if default is not None:
            self.checked(default, "the default of a StructField")

    def checked(self, value, what):
        if type(value) is not self.struct_cls:
            raise errors.error(
                "K120", f"{what}: got {value!r}, expected a {self.struct_cls.__name__}", f"pass a {self.struct_cls.__name__}"
            )
        return value

    def make_default(self):
        return self.struct_cls() if self.default is None else self.struct_cls(**self.default.__dict__)

    def size_and_alignment(self):
        _, size, alignment = self.struct_cls.__asc_image__()
        return size, alignment

    def image(self, value):
        return value.pack()


class Struct:
    """Base of structures: `class Point(Struct): x = Field(asc.int32, default=0)`. Instances are made with the values of the fields, by
    position or keyword. As an argument of a kernel one goes by value: the kernel has a copy. Fields lie in memory as in C, each at a
    multiple of its size, or of `pack` bytes if that is less: `class Point(Struct, pack=4)`. The Ascend C text defines the structure,
    unless `header` names the header that does: `class Point(Struct, header="points.h")`."""

    __slots__ = ("__dict__", "__weakref__", "_image")
    __asc_pack__ = 8
    __asc_header__ = ""

    def __init_subclass__(cls, pack=None, header="", **kwargs):
        super().__init_subclass__(**kwargs)
        if not isinstance(header, str) or set(header) & set('"\n\\'):
            raise errors.error("K151", f"{cls.__name__}: header is {header!r}, expected the name of a file", 'write header="points.h"')
        cls.__asc_header__ = header
        if pack is not None:
            if pack not in (1, 2, 4, 8, 16):
                raise errors.error(
                    "K151", f"{cls.__name__}: pack is {pack!r}, expected 1, 2, 4, 8 or 16", "leave it out for the layout of C"
                )
            cls.__asc_pack__ = pack
        own = {key: value for key, value in vars(cls).items() if isinstance(value, BaseField)}
        cls.__asc_fields__ = {**getattr(cls, "__asc_fields__", {}), **own}
        if not cls.__asc_fields__:
            raise errors.error("K151", f"{cls.__name__}: a Struct has at least one field", "write x = Field(asc.int32) in the class")

    def __init__(self, *values: object, **fields: object) -> None:
        name, known = type(self).__name__, getattr(type(self), "__asc_fields__", {})
        if len(values) > len(known):
            raise errors.error("K151", f"{name}: got {len(values)} values, expected at most {len(known)}", f"fields: {', '.join(known)}")
        by_position = dict(zip(known, values, strict=False))
        for key in fields:
            if key not in known or key in by_position:
                problem = "is given twice" if key in by_position else "does not exist"
                raise errors.error("K151", f"{name}: field '{key}' {problem}", f"fields: {', '.join(known)}")
        fields |= by_position
        for key, field in known.items():
            if key not in fields and not field.has_default:
                raise errors.error("K151", f"{name}: field '{key}' is missing", f"fields: {', '.join(known)}")
            setattr(self, key, fields[key] if key in fields else field.make_default())

    def __setattr__(self, key, value):
        if key not in type(self).__asc_fields__ and not key.startswith("_"):
            fields = ", ".join(type(self).__asc_fields__)
            raise errors.error("K151", f"{type(self).__name__}: field '{key}' does not exist", f"fields: {fields}")
        super().__setattr__(key, value)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{key}={getattr(self, key)!r}' for key in type(self).__asc_fields__)})"

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, key) == getattr(other, key) for key in type(self).__asc_fields__)

    __hash__ = None

    @classmethod
    def __asc_image__(cls):
        """Offset of each field, size and alignment."""
        offsets, size, alignment = {}, 0, 1
        for key, field in cls.__asc_fields__.items():
            bytes_, natural = field.size_and_alignment()
            step = min(natural, cls.__asc_pack__)
            size = -(-size // step) * step
            offsets[key] = size
            size, alignment = size + bytes_, max(alignment, step)
        return offsets, -(-size // alignment) * alignment, alignment

    def pack(self):
        """The bytes of the structure in memory; those between its fields are 0."""
        offsets, size, _ = self.__asc_image__()
        image = bytearray(size)
        for key, offset in offsets.items():
            part = type(self).__asc_fields__[key].image(getattr(self, key))
            image[offset : offset + len(part)] = part
        return bytes(image)

    def addressof(self):
        """Address of a copy of these bytes, which lives until the next call or as long as the structure."""
        self._image = ctypes.create_string_buffer(self.pack())
        return ctypes.addressof(self._image)

    def create_local(self):
        """In a kernel: a copy."""
        _core.only_in_kernels()


__all__ = []
