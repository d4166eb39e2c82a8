# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CPU torch tensors as arguments: used where they lie, in all element types, and refused where a kernel could not see what is meant.
import numpy as np
import pytest
from pyasc.errors import LaunchError, PyascWarning
from runtime_kernels import add, copy

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64".split()


def refused(code, *arguments):
    with pytest.raises(LaunchError) as caught:
        add[1](*arguments)
    assert caught.value.code == code, caught.value


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_arrives(dtype):
    src = (torch.arange(64) % 2).to(getattr(torch, dtype))
    dst = torch.zeros(64, dtype=getattr(torch, dtype))
    copy[1](src, dst, 64)
    assert torch.equal(src.view(torch.uint8), dst.view(torch.uint8))


def test_tensors_and_arrays_mix_and_share_memory():
    x, y, z = torch.arange(32.0), np.ones(32, np.float32), torch.zeros(32)
    add[1](x, y, z, 32)
    assert torch.equal(z, x + 1)
    add[1](x.numpy(), y, x, 32)  # the same memory, as an array and as a tensor
    assert torch.equal(x, torch.arange(32.0) + 1)
    refused("K131", z[:16], z[:16], z.numpy()[8:24], 16)


def test_non_contiguous_tensors_are_copied_and_written_back():
    x, z = torch.arange(32.0), torch.full((32, 2), -1.0)
    with pytest.warns(PyascWarning, match="K132"):
        add[1](x, x, z[:, 1], 32)
    assert torch.equal(z[:, 1], x + x) and (z[:, 0] == -1).all()


def test_gradients():
    leaf, z = torch.ones(32, requires_grad=True), torch.zeros(32)
    add[1](leaf, leaf, z, 32)
    assert (z == 2).all()
    refused("K130", z, z, leaf, 32)
    add[1](z, z, leaf.detach(), 32)
    assert (leaf == 4).all()


def test_what_is_no_argument():
    z = torch.zeros(32)
    refused("K121", torch.zeros(32, dtype=torch.complex64), z, z, 32)
    refused("K127", torch.zeros(32, device="meta"), z, z, 32)
    refused("K127", torch.zeros(32).to_sparse(), z, z, 32)
    refused("K127", torch.zeros(32, dtype=torch.complex64).conj().imag, z, z, 32)
