# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# pyasc and torch: tensors both ways, kernels as operators of torch, torch.compile, gradients, traces of torch.profiler.
import ast
import subprocess
import sys

import asc
import ml_dtypes
import numpy as np
import pyasc
import pytest
from pyasc.errors import LaunchError
from support.dtypes import NUMPY

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch


def torch_type(name):
    return getattr(torch, name.rstrip("_"))


@pytest.mark.parametrize("name", sorted(NUMPY))
def test_memory_is_shared(name):
    source = torch.arange(6).reshape(2, 3).to(torch_type(name))
    for tensor in (pyasc.from_torch(source), pyasc.from_dlpack(source)):
        assert tensor.dtype == getattr(pyasc, name) and tensor.shape == (2, 3)
        for back in (tensor.to_torch(), torch.from_dlpack(tensor)):
            assert back.dtype == source.dtype and back.data_ptr() == source.data_ptr() and torch.equal(back, source)
    assert pyasc.Tensor(3, source.dtype).dtype == getattr(pyasc, name)
    assert pyasc.from_numpy(np.zeros((2, 3), NUMPY[name])).to_torch().dtype == source.dtype


def test_memory_that_cannot_be_shared():
    matrix = torch.zeros(4, 6)
    imaginary = torch.zeros(4, dtype=torch.complex64).conj().imag
    for tensor in (matrix[:, 0], matrix.T, matrix.to("meta"), matrix.to_sparse(), imaginary):
        with pytest.raises(LaunchError) as caught:
            pyasc.from_torch(tensor)
        assert caught.value.code == "K169"
    array = np.zeros(3, np.float32)
    array.flags.writeable = False
    with pytest.raises(LaunchError) as caught:
        pyasc.from_numpy(array).to_torch()
    assert caught.value.code == "K169"
    with pytest.raises(LaunchError) as caught:
        pyasc.from_torch(torch.zeros(3, dtype=torch.complex64))
    assert caught.value.code == "K167"


def test_gradients_are_not_followed():
    leaf = torch.ones(3, requires_grad=True)
    for tensor in (pyasc.from_torch(leaf), pyasc.from_dlpack(leaf)):
        tensor.to_numpy()[1] = 5
    assert leaf.tolist() == [1, 5, 1]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
def test_kernels_by_name_take_tensors(dtype):
    x, y, z = torch.randn(1000).to(dtype), torch.randn(1000).to(dtype), torch.zeros(1000, dtype=dtype)
    kernel, stream = pyasc.Kernel("vec_add_kernel"), pyasc.Stream()
    kernel.set_input(0, x)
    kernel.set_input(1, y)
    kernel.set_output(0, z)
    stream.launch(kernel)
    stream.synchronize()
    assert torch.equal(z, x + y)


# ---------------------------------------------------------------- operators


def keep(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def product_rule(ctx, grad):
    x, y = ctx.saved_tensors
    return grad * y, grad * x


mul = pyasc.torch_op("vec_mul_kernel", "test_host::mul", backward=product_rule, setup_context=keep)
norm = pyasc.torch_op("fused_layernorm_kernel", "test_host::norm")


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_compiled_with_gradients(backend):
    x, y = torch.randn(100, requires_grad=True), torch.randn(100, requires_grad=True)
    compiled = torch.compile(lambda x, y: mul(x + 1, y) * 2, backend=backend, fullgraph=True)
    z = compiled(x, y)
    assert torch.equal(z, (x + 1) * y * 2)
    z.sum().backward()
    assert torch.equal(x.grad, 2 * y) and torch.equal(y.grad, 2 * (x + 1))


def test_torch_finds_nothing_wrong():
    arguments = torch.randn(3, 5, requires_grad=True), torch.randn(3, 5)
    torch.library.opcheck(mul, arguments)
    torch.library.opcheck(norm, (torch.randn(3, 5), torch.ones(5), torch.zeros(5), 0.1))


STATED = {torch.float32: 2e-6, torch.float16: 2.0**-8 * 1.01, torch.bfloat16: 2.0**-5 * 1.01}  # of docs/host.md


@pytest.mark.parametrize("dtype", STATED, ids=str)
def test_layernorm_of_4096_rows_of_1024(dtype):
    torch.manual_seed(0)
    x, gamma, beta = (a.to(dtype) for a in (torch.randn(4096, 1024), torch.rand(1024) * 1.5 + 0.5, torch.randn(1024)))
    exact = torch.nn.functional.layer_norm(x.double(), (1024,), gamma.double(), beta.double(), 1e-5)
    assert (norm(x, gamma, beta).double() - exact).abs().max() <= STATED[dtype]
    assert (norm(x[:5], gamma, beta, eps=0.5) - norm(x[:5], gamma, beta)).abs().max() > 0.1


def test_inputs_that_are_not_contiguous():
    x, y = torch.randn(8, 8), torch.randn(8, 8)
    assert torch.equal(mul(x.T, y[:, :8]), x.T * y)


@pyasc.kernel(
    "twice_and_sign", inputs=("x",), outputs=("two", "sign"), attributes={"n": 1, "up": False, "by": None}, tiling=lambda: [1, 1, 1, 1]
)
@asc.jit
def twice_and_sign(x: asc.GlobalAddress, two: asc.GlobalAddress, sign: asc.GlobalAddress, n: int, up: bool, by: float, total: int):
    x_gm, two_gm, sign_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, total)
    two_gm.set_global_buffer(two, total)
    sign_gm.set_global_buffer(sign, total)
    for i in range(total):
        value = x_gm.get_value(i)
        two_gm.set_value(i, value * by + n)
        sign_gm.set_value(i, 1 if (value > 0) == up else 0)


def test_several_outputs_and_attributes():
    op = pyasc.torch_op(
        "twice_and_sign", "test_host::twice", fake=lambda x, by, n, up: (x.new_empty(x.shape), x.new_empty(x.shape, dtype=torch.int32))
    )
    x = torch.tensor([1.0, -2.0, 3.0])
    two, sign = op(x, 2.0, 1, True)
    assert two.tolist() == [3, -3, 7] and sign.tolist() == [1, 0, 1]
    assert op(x, 3.0)[1].tolist() == [0, 1, 0]
    two, sign = torch.compile(lambda x: op(x, 2.0, up=True), backend="aot_eager", fullgraph=True)(x)
    assert two.tolist() == [3, -3, 7] and sign.tolist() == [1, 0, 1]


def test_what_is_no_operator():
    @pyasc.kernel("makes_something", inputs=(), outputs=("z",), tiling=lambda: [1, 1, 1, 1])
    @asc.jit
    def makes_something(z: asc.GlobalAddress):
        """Nothing says how large."""

    for name, code in [("makes_something", "K161"), ("relu", "K160")]:
        with pytest.raises(LaunchError) as caught:
            pyasc.torch_op(name)
        assert caught.value.code == code
    relu = pyasc.torch_op("relu_kernel", "test_host::relu")
    with pytest.raises(LaunchError) as caught:
        relu(torch.arange(5))
    assert caught.value.code == "K167"


def test_shapes_that_the_shape_rule_refuses():
    """The same error as a launch by name."""
    for kernel, shapes in [("rmsnorm_kernel", [(3, 8), (7,)]), ("vec_add_kernel", [(4,), (5,)])]:
        inputs = [torch.ones(shape) for shape in shapes]
        launch = pyasc.Kernel(kernel)
        for number, tensor in enumerate(inputs):
            launch.set_input(number, tensor)
        launch.set_output(0, torch.ones(shapes[0]))
        op = pyasc.torch_op(kernel, f"test_host::shapes_of_{kernel}")
        messages = []
        for call in (launch.prepare, lambda op=op, inputs=inputs: op(*inputs)):
            with pytest.raises(LaunchError) as caught:
                call()
            assert caught.value.code == "K166"
            messages.append(str(caught.value))
        assert messages[0] == messages[1] and f"help: the shapes are: 'x' {shapes[0]}" in messages[0]


@pytest.mark.parametrize("name", ["nons", "", "::relu", "a::b::c", "a b::c", "a::b.c", "a::1"])
def test_names_that_operators_cannot_have(name):
    with pytest.raises(LaunchError, match="expected 'namespace::name'") as caught:
        pyasc.torch_op("relu_kernel", name)
    assert caught.value.code == "K161"


def test_setup_context_alone_is_refused():
    with pytest.raises(LaunchError, match="setup_context without backward") as caught:
        pyasc.torch_op("relu_kernel", "test_host::alone", setup_context=keep)
    assert caught.value.code == "K161"


# ---------------------------------------------------------------- torch.profiler


@asc.jit
def plain_launch(x: asc.GlobalAddress, n: int):
    target = asc.GlobalTensor()
    target.set_global_buffer(x, n)
    target.set_value(0, 1)


def test_launches_are_in_the_trace():
    x = torch.zeros(8)
    kernel, stream = pyasc.Kernel("relu_kernel"), pyasc.Stream()
    kernel.set_input(0, x)
    kernel.set_output(0, torch.zeros(8))
    plain_launch[1](x, 8)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        plain_launch[1](x, 8)
        plain_launch[1](x.numpy(), 8)
        stream.launch(kernel)
        stream.synchronize()
        mul(x, x)
        with pytest.raises(LaunchError):
            plain_launch[1](x.T.requires_grad_(), 8)
    plain_launch[1](x.detach(), 8)
    counts = {event.key: event.count for event in profile.key_averages()}
    assert counts["plain_launch"] == 3 and counts["relu_kernel"] == 1 and counts["test_host::mul"] == 1


def test_operators_are_in_the_trace_of_a_program_that_launched_nothing_before(tmp_path):
    program = """
import numpy as np, pyasc, torch
relu = pyasc.torch_op("relu_kernel")
copy = pyasc.Kernel("vec_add_kernel")
for number in (0, 1):
    copy.set_input(number, np.ones(8, np.float32))
copy.set_output(0, np.ones(8, np.float32))
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
    copy.prepare().call()
    relu(torch.zeros(8))
print({event.key: event.count for event in profile.key_averages() if event.key.endswith("_kernel")})
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100, cwd=tmp_path)
    assert ast.literal_eval(done.stdout) == {"vec_add_kernel": 1, "pyasc::relu_kernel": 1, "relu_kernel": 1}, done.stderr


def test_ml_dtypes_and_torch_agree():
    tensor = pyasc.from_numpy(np.array([1.5, -2.0], ml_dtypes.bfloat16))
    assert tensor.to_torch().tolist() == [1.5, -2.0]
