# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`Tensor`: an array in the memory of the device, which in the simulator is that of the host, so nothing is ever copied unless asked."""

from __future__ import annotations

import math
import reprlib
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from pyasc import _core, errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch

    from pyasc.stream import Work

dtypes = {dtype.name: dtype for dtype in _core.dtypes if not dtype.is_void()}
_BFLOAT16 = dtypes["bfloat16"]
_RAW = np.dtype("V2")  # how kernels take bfloat16 from NumPy, which has no such type


def storage_of(dtype: _core.DataType) -> np.dtype[Any]:
    return _RAW if dtype == _BFLOAT16 else np.dtype(dtype.name)


def dtype_of(value: Any, what: str) -> _core.DataType:
    """An element type: pyasc's own, its name, or that of NumPy, ml_dtypes or torch. `what` names it in errors."""
    if isinstance(value, _core.DataType):
        name = value.name
    elif isinstance(value, str):
        name = value
    elif type(value).__module__ == "torch":
        name = str(value).removeprefix("torch.")
    else:
        try:
            dtype = None if value is None else np.dtype(value)  # NumPy's default is float64
            name = "None" if dtype is None else "bfloat16" if dtype == _RAW else dtype.name
        except TypeError:
            name = repr(value)
    if name not in dtypes:
        help = f"the element types are: {', '.join(f'pyasc.{name}' for name in _NAMES.values())}"
        raise errors.error("K167", f"{what}: got {value!r}, expected an element type", help)
    return dtypes[name]


def _numpy_dtype(value: Any) -> np.dtype[Any]:
    """The type of NumPy for an element type of any kind; bfloat16 without ml_dtypes is raw words."""
    try:
        return np.dtype(value)
    except TypeError:
        dtype = dtype_of(value, "to_numpy(): dtype")
    if dtype != _BFLOAT16:
        return np.dtype(dtype.name)
    try:
        import ml_dtypes
    except ImportError:
        return _RAW
    return np.dtype(ml_dtypes.bfloat16)


def wrong_kind(what: str, value: Any, expected: str, help: str) -> errors.PyascError:
    """The error for an object of another kind; its text is cut when it is long."""
    return errors.error("K168", f"{what}: got {reprlib.repr(value)} of type {type(value).__name__}, expected {expected}", help)


_MOST_DIMENSIONS, _MOST_ELEMENTS = 32, 2**39  # what NumPy has, and what an address of the device reaches


def _shape_of(value: Any) -> tuple[int, ...]:
    sizes = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 0:
            help = "write a tuple of sizes, such as (1024, 768)"
            raise errors.error("K166", f"Tensor: shape: got {value!r}, expected an int or ints, none negative", help)
    if len(sizes) > _MOST_DIMENSIONS or math.prod(max(1, int(size)) for size in sizes) > _MOST_ELEMENTS:
        message = f"Tensor: shape: got {reprlib.repr(sizes)}, expected at most {_MOST_DIMENSIONS} sizes and 2**39 elements"
        raise errors.error("K166", message, "write smaller sizes")
    return tuple(map(int, sizes))


def _is_torch(value: object) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


class Tensor:
    """An array of the device: a shape, an element type, and memory without gaps, the last dimension fastest.

    `Tensor(shape, dtype)` has memory of its own, full of zeros. `Tensor.from_numpy`, `Tensor.from_torch` and `Tensor.from_dlpack` share
    memory that exists, and so do `to_numpy`, `to_torch` and DLPack, which wait for the launches in streams that write the tensor.

    shape: sizes of the dimensions, a tuple of ints; () has one element
    dtype: an element type: pyasc.float32, its name, or the same type of NumPy, ml_dtypes or torch
    """

    __slots__ = ("__weakref__", "_array", "_work", "dtype")

    dtype: _core.DataType
    _array: np.ndarray[Any, Any]  # bfloat16: raw words of 16 bits
    _work: Work | None  # the last launch that writes the tensor, until somebody has waited for it

    def __init__(self, shape: int | Sequence[int], dtype: Any) -> None:
        self.dtype = dtype_of(dtype, "Tensor: dtype")
        self._array = np.zeros(_shape_of(shape), storage_of(self.dtype))
        self._work = None

    @classmethod
    def _of(cls, array: np.ndarray[Any, Any], dtype: _core.DataType) -> Tensor:
        tensor = cls.__new__(cls)
        tensor.dtype, tensor._array, tensor._work = dtype, array, None
        return tensor

    # ------------------------------------------------------------ NumPy

    @classmethod
    def from_numpy(cls, array: np.ndarray[Any, Any]) -> Tensor:
        """The same memory as a NumPy array, which has to be contiguous; nothing is copied. bfloat16 is an array of ml_dtypes.bfloat16, or
        raw words of 16 bits, `bits.view("V2")`. A tensor of a read-only array cannot be an output."""
        if not isinstance(array, np.ndarray):
            help = "write numpy.asarray(x), Tensor.from_torch(x) or Tensor.from_dlpack(x)"
            raise wrong_kind("from_numpy()", array, "a NumPy array", help)
        dtype = dtype_of(array.dtype, "from_numpy(): dtype")
        if isinstance(array, np.ma.MaskedArray):
            raise errors.error("K169", "from_numpy(): a masked array, whose mask a tensor does not have", "pass x.filled(value)")
        if not array.flags.c_contiguous:
            message = f"from_numpy(): an array of shape {array.shape} with strides {array.strides}, expected contiguous memory"
            raise errors.error("K169", message, "pass a copy, numpy.ascontiguousarray(x)")
        if not (array.flags.aligned and array.dtype.isnative):
            message = "from_numpy(): an array whose elements are not aligned, or have the other byte order"
            raise errors.error("K169", message, "pass a copy, x.astype(x.dtype.newbyteorder('='))")
        return cls._of(array.view(np.ndarray).view(storage_of(dtype)), dtype)

    def to_numpy(self, dtype: Any = None) -> np.ndarray[Any, Any]:
        """The same memory as a NumPy array, when the launches that write the tensor are over.

        bfloat16 comes as ml_dtypes.bfloat16 where that package is installed, else as its bits in uint16. With a `dtype` the values are
        converted, and the array is a copy; to_numpy(numpy.float32) gives the numbers of any float type, without ml_dtypes.

        dtype: an element type, as `Tensor` takes them, or any other type of NumPy"""
        if not isinstance(self, Tensor):  # pyasc.to_numpy(x)
            raise wrong_kind("to_numpy()", self, "a pyasc.Tensor", "make one with pyasc.from_numpy(x) or pyasc.from_torch(x)")
        self.wait()
        if dtype is None:
            own = _numpy_dtype(self.dtype)
            return self._array.view(np.uint16 if own == _RAW else own)
        wanted, array = _numpy_dtype(dtype), self._array
        if self.dtype == _BFLOAT16:
            if wanted in (_RAW, _numpy_dtype(_BFLOAT16)):
                return self.to_numpy().copy()
            array = (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        elif wanted == _RAW:
            message = f"to_numpy(): dtype: got {dtype!r}, and NumPy has no such type without ml_dtypes"
            raise errors.error("K167", message, "install ml_dtypes, or ask for numpy.float32")
        return array.astype(wanted)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        shared = self.to_numpy()
        if dtype is None or _numpy_dtype(dtype) == shared.dtype:
            return shared.copy() if copy else shared
        if copy is False:
            raise ValueError(f"a Tensor of {self.dtype} as an array of {dtype} is a copy")
        return self.to_numpy(dtype)

    # ------------------------------------------------------------ torch

    @classmethod
    def from_torch(cls, tensor: torch.Tensor) -> Tensor:
        """The same memory as a dense torch tensor on the CPU, which has to be contiguous; nothing is copied, and gradients are not
        followed."""
        if not _is_torch(tensor):
            help = "write Tensor.from_numpy(x) or Tensor.from_dlpack(x)"
            raise wrong_kind("from_torch()", tensor, "a torch tensor", help)
        dtype = dtype_of(tensor.dtype, "from_torch(): dtype")
        if tensor.device.type != "cpu":
            raise errors.error("K169", f"from_torch(): a tensor on device {tensor.device.type}", "pass x.cpu()")
        if tensor.layout is not sys.modules["torch"].strided or tensor.is_neg() or not tensor.is_contiguous():
            raise errors.error(
                "K169", "from_torch(): a tensor whose elements do not lie one after the other", "pass x.contiguous(), a copy"
            )
        plain = tensor.detach()
        if dtype == _BFLOAT16:
            plain = plain.view(sys.modules["torch"].int16)
        return cls._of(plain.numpy().view(storage_of(dtype)), dtype)

    def to_torch(self) -> torch.Tensor:
        """The same memory as a torch tensor on the CPU, when the launches that write the tensor are over."""
        if not isinstance(self, Tensor):  # pyasc.to_torch(x)
            raise wrong_kind("to_torch()", self, "a pyasc.Tensor", "make one with pyasc.from_numpy(x) or pyasc.from_torch(x)")
        import torch

        self.wait()
        if not self._array.flags.writeable:
            help = "torch has no read-only tensors: copy the NumPy array first"
            raise errors.error("K169", "to_torch(): the tensor is that of a read-only array", help)
        if self.dtype == _BFLOAT16:
            return torch.from_numpy(self._array.view(np.int16)).view(torch.bfloat16)
        return torch.from_numpy(self._array)

    # ------------------------------------------------------------ DLPack

    @classmethod
    def from_dlpack(cls, source: Any) -> Tensor:
        """The same memory as an object with `__dlpack__` (torch, JAX, CuPy on the host, NumPy); nothing is copied. A Tensor is what it
        is."""
        if not hasattr(source, "__dlpack__"):
            help = "DLPack objects have the methods __dlpack__ and __dlpack_device__"
            raise wrong_kind("from_dlpack()", source, "a DLPack object", help)
        if isinstance(source, cls):
            return source
        if getattr(source, "requires_grad", False) and _is_torch(source):
            source = source.detach()
        try:
            array, bfloat16 = _core.from_dlpack(source)
        except TypeError:
            help = "it has to be on the CPU, contiguous, writable, and of an element type of the AI Core; pass a copy that is"
            raise errors.error("K169", f"from_dlpack(): the memory of a {type(source).__name__} cannot be shared", help) from None
        dtype = _BFLOAT16 if bfloat16 else dtype_of(array.dtype, "from_dlpack(): dtype")
        return cls._of(array.view(storage_of(dtype)), dtype)

    def __dlpack__(
        self,
        *,
        stream: None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """The same memory for another library, when the launches that write the tensor are over; parameters as the protocol has them."""
        self.wait()
        if self.dtype != _BFLOAT16:
            given: dict[str, Any] = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
            return self._array.__dlpack__(**{name: value for name, value in given.items() if value is not None})  # old NumPy knows fewer
        if not self.writable:
            raise BufferError("the memory of the Tensor is read-only")
        if dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("the memory of a Tensor is that of the CPU")
        bits = self._array.view(np.uint16)
        return _core.bfloat16_dlpack(bits.copy() if copy else bits)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # the CPU

    # ------------------------------------------------------------ what it is

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self._array.shape

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._array.size

    @property
    def nbytes(self) -> int:
        """Number of bytes."""
        return self._array.nbytes

    @property
    def writable(self) -> bool:
        """Whether kernels may write it."""
        return self._array.flags.writeable

    @property
    def __asc_array__(self) -> np.ndarray[Any, Any]:
        """What an @asc.jit kernel works on."""
        self.wait()
        return self._array

    def wait(self) -> None:
        """Waits for the launches in streams that write the tensor, and raises the error of the last one, as its stream will."""
        work = self._work
        if work is not None:
            work.wait()
            if self._work is work:  # another thread may have launched again
                self._work = None

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a Tensor of shape () has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"Tensor({self.shape}, pyasc.{_NAMES[self.dtype.name]})"


_NAMES = {name: "bool_" if name == "bool" else name for name in dtypes}


def as_tensor(value: Any, what: str) -> Tensor:
    """A tensor, or the memory of an array of NumPy or torch as one. `what` names it in errors."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.ndarray):
        return Tensor.from_numpy(value)
    if _is_torch(value):
        return Tensor.from_torch(value)
    help = "write pyasc.Tensor(shape, dtype), or pass an array of NumPy or torch"
    raise wrong_kind(what, value, "a Tensor", help)
