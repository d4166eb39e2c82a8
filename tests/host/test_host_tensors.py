# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# pyasc.Tensor: what it is made of, and the memory that it shares with NumPy, DLPack and kernels. torch: test_host_torch.py.
import subprocess
import sys

import asc
import ml_dtypes
import numpy as np
import pyasc
import pytest
from host_kernels import count_to  # noqa: F401 -- registers it
from pyasc.errors import LaunchError
from support.dtypes import NUMPY

DTYPES = sorted(NUMPY)


def refused(code, action, *arguments, **named):
    with pytest.raises(LaunchError) as caught:
        action(*arguments, **named)
    assert caught.value.code == code, caught.value
    return str(caught.value)


@pytest.mark.parametrize("dtype", DTYPES)
def test_memory_of_its_own(dtype):
    tensor = pyasc.Tensor((3, 5), getattr(pyasc, dtype))
    assert tensor.dtype == getattr(asc, dtype) and tensor.shape == (3, 5) and tensor.size == len(tensor) * 5 == 15
    assert tensor.nbytes == 15 * NUMPY[dtype].itemsize and tensor.writable
    array = tensor.to_numpy()
    assert array.dtype == NUMPY[dtype] and array.shape == (3, 5) and not array.view(np.uint8).any()
    array[1, 2] = 1
    assert tensor.to_numpy()[1, 2] == 1
    assert repr(tensor) == f"Tensor((3, 5), pyasc.{dtype})"


@pytest.mark.parametrize("name", DTYPES)
def test_names_of_element_types(name):
    dtype = getattr(pyasc, name)
    for spelling in (dtype, NUMPY[name], NUMPY[name].type, NUMPY[name].name):
        assert pyasc.Tensor((), spelling).dtype == dtype


@pytest.mark.parametrize("shape", [(), 7, [2, 3], (0, 4), np.int64(3)])
def test_shapes(shape):
    tensor = pyasc.Tensor(shape, pyasc.float32)
    assert tensor.shape == np.zeros(shape).shape == np.asarray(tensor).shape


def test_what_is_no_shape_or_dtype():
    for shape in (-1, (2, -3), 1.5, "3", None, (True,), (2, None), 10**30, (2**20, 2**20, 0), (1,) * 70):
        assert "shape" in refused("K166", pyasc.Tensor, shape, pyasc.float32)
    for dtype in ("complex64", np.complex64, object, "floot", None, 3, "void"):
        assert "expected an element type" in refused("K167", pyasc.Tensor, 3, dtype)
    with pytest.raises(TypeError):
        len(pyasc.Tensor((), "int8"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_memory_is_shared(dtype):
    array = np.arange(12).astype(NUMPY[dtype]).reshape(3, 4)
    tensor = pyasc.from_numpy(array)
    assert np.shares_memory(tensor.to_numpy(), array) and np.shares_memory(np.asarray(tensor), array)
    assert tensor.to_numpy().dtype == array.dtype and (pyasc.to_numpy(tensor) == array).all()
    copy = np.array(tensor, copy=True)
    assert not np.shares_memory(copy, array) and (copy == array).all()
    assert (tensor.to_numpy(np.float64) == array.astype(np.float64)).all()


def test_raw_words_are_bfloat16():
    bits = np.array([0x3F80, 0x4000], np.uint16)
    tensor = pyasc.from_numpy(bits.view("V2"))
    assert tensor.dtype == pyasc.bfloat16 and tensor.to_numpy(np.float32).tolist() == [1.0, 2.0]
    assert tensor.to_numpy(ml_dtypes.bfloat16).tolist() == [1.0, 2.0] and np.shares_memory(tensor.to_numpy(), bits)
    refused("K167", pyasc.from_numpy, np.zeros(2, [("a", "i1"), ("b", "i1")]))  # two bytes, too


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_of_another_type(dtype):
    """to_numpy(dtype) is a copy, whatever names the type; NumPy's own functions copy where they have to."""
    tensor = pyasc.from_numpy(np.arange(2).astype(NUMPY[dtype]))
    for wanted in (getattr(pyasc, dtype), NUMPY[dtype], pyasc.float32, "int16", np.complex64):
        array = tensor.to_numpy(wanted)
        assert array.tolist() == [0, 1] and not np.shares_memory(array, tensor.to_numpy())
        assert array.dtype == (pyasc.Tensor((), wanted).to_numpy().dtype if wanted is not np.complex64 else wanted)
    assert np.shares_memory(tensor.__array__(NUMPY[dtype], copy=False), tensor.to_numpy())
    assert not np.shares_memory(tensor.__array__(copy=True), tensor.to_numpy())
    with pytest.raises(ValueError, match="is a copy"):
        tensor.__array__(np.complex64, copy=False)
    refused("K167", tensor.to_numpy, "float8")


def test_bfloat16_without_ml_dtypes():
    program = """
import sys
sys.modules["ml_dtypes"] = None
import numpy as np, pyasc
tensor = pyasc.from_numpy(np.array([0x3F80, 0xC000], np.uint16).view("V2"))
assert tensor.to_numpy().dtype == np.uint16 and tensor.to_numpy().tolist() == [0x3F80, 0xC000]
assert tensor.to_numpy(np.float32).tolist() == np.asarray(tensor, np.float32).tolist() == [1.0, -2.0]
assert tensor.to_numpy(pyasc.bfloat16).tolist() == [0x3F80, 0xC000] and tensor.to_numpy(np.int16).tolist() == [1, -2]
assert not np.shares_memory(tensor.to_numpy(pyasc.bfloat16), tensor.to_numpy())
try:
    pyasc.Tensor(2, pyasc.float32).to_numpy(pyasc.bfloat16)
except pyasc.errors.LaunchError as error:
    assert error.code == "K167"
else:
    raise AssertionError
stream, kernel, out = pyasc.Stream(), pyasc.Kernel("relu_kernel"), pyasc.Tensor(2, pyasc.bfloat16)
kernel.set_input(0, tensor)
kernel.set_output(0, out)
stream.launch(kernel)
assert out.to_numpy(np.float32).tolist() == [1.0, 0.0]
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_memory_that_cannot_be_shared():
    matrix = np.zeros((4, 6), np.float32)
    for array in (matrix[:, 0], matrix.T, np.zeros(4, ">f4"), np.frombuffer(bytes(9), np.uint8)[1:].view("<f4")):
        assert "pass a copy" in refused("K169", pyasc.from_numpy, array)
    refused("K169", pyasc.from_numpy, np.ma.masked_array([1.0, 2.0], [0, 1]))
    refused("K167", pyasc.from_numpy, np.zeros(3, np.complex64))
    refused("K168", pyasc.from_numpy, [1.0])
    refused("K168", pyasc.from_dlpack, [1.0])
    refused("K168", pyasc.from_torch, matrix)
    assert "expected a pyasc.Tensor" in refused("K168", pyasc.to_numpy, matrix)
    assert "expected a pyasc.Tensor" in refused("K168", pyasc.to_torch, 3)
    refused("K169", pyasc.from_dlpack, matrix[:, 0])
    refused("K169", pyasc.from_dlpack, np.zeros((4, 4), np.complex128).real)
    refused("K167", pyasc.from_dlpack, np.zeros(4, np.complex64))


def test_read_only_memory():
    array = np.zeros(8, np.float32)
    array.flags.writeable = False
    tensor = pyasc.from_numpy(array)
    assert not tensor.writable and not tensor.to_numpy().flags.writeable
    kernel = pyasc.Kernel("relu_kernel")
    assert "read-only" in refused("K130", kernel.set_output, 0, tensor)
    kernel.set_input(0, tensor)
    assert "set_output(0, ...) for 'z'" in refused("K163", kernel.prepare)  # it was not taken
    bits = np.zeros(8, "V2")
    bits.flags.writeable = False
    with pytest.raises(BufferError):
        pyasc.from_numpy(bits).__dlpack__()


# ---------------------------------------------------------------- DLPack


@pytest.mark.parametrize("dtype", [name for name in DTYPES if name != "bfloat16"])
def test_dlpack_both_ways(dtype):
    array = np.arange(6).astype(NUMPY[dtype]).reshape(2, 3)
    tensor = pyasc.from_dlpack(array)
    assert tensor.dtype == getattr(pyasc, dtype) and np.shares_memory(tensor.to_numpy(), array)
    back = np.from_dlpack(tensor)
    assert np.shares_memory(back, array) and back.dtype == array.dtype and (back == array).all()


def test_dlpack_of_bfloat16():
    """NumPy cannot, so the tensor is its own partner."""

    class Foreign:
        def __init__(self, tensor):
            self.__dlpack__, self.__dlpack_device__ = tensor.__dlpack__, tensor.__dlpack_device__

    tensor = pyasc.from_numpy(np.arange(6).astype(ml_dtypes.bfloat16).reshape(2, 3))
    again = pyasc.from_dlpack(Foreign(tensor))
    assert again.dtype == pyasc.bfloat16 and again.shape == (2, 3) and np.shares_memory(again.to_numpy(), tensor.to_numpy())
    assert pyasc.from_dlpack(tensor).dtype == pyasc.bfloat16 and tensor.__dlpack_device__() == (1, 0)
    copy = Foreign(tensor)
    copy.__dlpack__ = lambda **options: tensor.__dlpack__(copy=True)
    assert not np.shares_memory(pyasc.from_dlpack(copy).to_numpy(), tensor.to_numpy())
    with pytest.raises(BufferError):
        tensor.__dlpack__(dl_device=(2, 0))


def test_dlpack_of_a_tensor_that_is_being_written():
    stream, out = pyasc.Stream(), pyasc.Tensor(1, pyasc.int32)
    kernel = pyasc.Kernel("count_to")
    kernel.set_output(0, out)
    kernel.set_attr("n", 300_000)
    stream.launch(kernel)
    assert pyasc.from_dlpack(out).to_numpy()[0] == sum(range(300_000)) % 1000003


def test_memory_outlives_its_owner():
    tensor = pyasc.from_dlpack(np.arange(1000.0))
    array = np.from_dlpack(tensor)
    del tensor
    junk = [np.ones(1000) for _ in range(20)]
    assert (array == np.arange(1000)).all() and junk


# ---------------------------------------------------------------- tensors as arguments of @asc.jit kernels


@asc.jit
def double(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    source, target = asc.GlobalTensor(), asc.GlobalTensor()
    source.set_global_buffer(x, n)
    target.set_global_buffer(z, n)
    for i in range(n):
        target.set_value(i, source.get_value(i) + source.get_value(i))


@pytest.mark.parametrize("dtype", ["int32", "float16", "bfloat16", "float32"])
def test_kernels_take_tensors(dtype):
    x, z = pyasc.from_numpy(np.arange(9).astype(NUMPY[dtype])), pyasc.Tensor(9, dtype)
    double[1](x, z, 9)
    assert (z.to_numpy() == 2 * np.arange(9)).all()
    double[1](x.to_numpy(), x, 9)  # one memory, as an array and as a tensor
    assert (x.to_numpy() == 2 * np.arange(9)).all()


def test_kernels_refuse_what_they_cannot_write():
    array = np.zeros(4, np.float32)
    array.flags.writeable = False
    refused("K130", double[1], array, pyasc.from_numpy(array), 4)


def test_the_package_names_them_all():
    assert set(pyasc.__all__) <= set(dir(pyasc))
    for name in pyasc.__all__:
        assert getattr(pyasc, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'Tenser'"):
        pyasc.Tenser  # noqa: B018
    assert all(getattr(pyasc, name) == getattr(asc, name) for name in DTYPES)


def test_importing_pyasc_loads_little():
    """The command and every kernel import it."""
    program = (
        "import sys, pyasc; print(*(name for name in ('numpy', 'torch', 'logging', 'pyasc.tensor', 'pyasc.stream') if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=60)
    assert "pyasc." not in done.stdout and "torch" not in done.stdout and "logging" not in done.stdout
