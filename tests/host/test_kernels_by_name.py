# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The registry: roles of a kernel's parameters, tiling lists and shapes, and what is said where they are wrong. Results of the kernels
# of pyasc: test_built_in_kernels.py.
import importlib.util

import asc
import numpy as np
import pyasc
import pytest
from pyasc import registry
from pyasc.errors import LaunchError


def refused(code, action, *arguments, **named):
    with pytest.raises(LaunchError) as caught:
        action(*arguments, **named)
    assert caught.value.code == code, caught.value
    return str(caught.value)


def run(kernel):
    stream = pyasc.Stream()
    stream.launch(kernel)
    stream.synchronize()


# ---------------------------------------------------------------- a kernel of one's own

SEEN = "block_dim outer inner count total rows scale work".split()


def halves(total, row, itemsize, cores, scale, count=0):
    """A rule of the user: two blocks; it looks at everything that it may ask for."""
    assert itemsize == 4 and cores == 48 and row > 0 and scale != 99, "scale 99 is not for this kernel"
    assert count in (0, 1000), "count is 1000"
    return [2, 3, 4, count or 5]


@pyasc.kernel(
    "tells",
    inputs=("x",),
    outputs=("z", "numbers"),
    workspaces={"work": "int32"},
    attributes={"scale": 1.5},
    shapes=lambda x: [x, (8,)],
    tiling=halves,
)
@asc.jit
def tells(
    x: asc.GlobalAddress,
    z: asc.GlobalAddress,
    numbers: asc.GlobalAddress,
    work: asc.GlobalAddress,
    block_dim: int,
    outer: int,
    inner: int,
    count: int,
    total: int,
    rows: int,
    scale: float,
):
    """What it got, as float32 numbers, and z = x through the workspace."""
    told, source, target, between = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    told.set_global_buffer(numbers, 8)
    source.set_global_buffer(x, total)
    target.set_global_buffer(z, total)
    between.set_global_buffer(work, total)
    if asc.get_block_idx() == 0:
        for i in range(total):
            between.set_value(i, int(source.get_value(i)))
            target.set_value(i, between.get_value(i).cast(asc.float32))
        told.set_value(0, block_dim)
        told.set_value(1, outer)
        told.set_value(2, inner)
        told.set_value(3, count)
        told.set_value(4, total)
        told.set_value(5, rows)
        told.set_value(6, scale)
        told.set_value(7, asc.get_block_num())


def telling(shape=(3, 4)):
    kernel = pyasc.Kernel("tells")
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    z, numbers = np.zeros(shape, np.float32), np.zeros(8, np.float32)
    kernel.set_input(0, x)
    kernel.set_output(0, z)
    kernel.set_output(1, numbers)
    kernel.set_workspace(0, 4 * x.size)
    return kernel, x, z, numbers


def test_everything_arrives():
    kernel, x, z, numbers = telling()
    kernel.set_attr("scale", np.float32(2.5))
    run(kernel)
    assert numbers.tolist() == [2, 3, 4, 5, 12, 3, 2.5, 2] and (z == x).all()
    kernel.set_tiling([5, 6, 7, 1000])
    kernel.set_attr("scale", 4)  # an int is a float
    run(kernel)
    assert numbers.tolist() == [2, 3, 4, 1000, 12, 3, 4.0, 2]  # the rule has the last word
    kernel.set_tiling(None)
    run(kernel)
    assert numbers[3] == 5


def test_the_function_stays_what_it_is():
    assert isinstance(tells, type(asc.jit(lambda: None))) and tells.__name__ == "tells"
    assert "tells" in registry.names() and registry.find("tells").function is tells
    assert repr(pyasc.Kernel("tells")) == "<pyasc.Kernel 'tells'>" and pyasc.Kernel("tells").name == "tells"


def test_a_module_may_be_loaded_again():
    """As a notebook does with a cell."""

    def define(digit):
        @pyasc.kernel("again", inputs=(), outputs=("z",), tiling=lambda total: [1, 1, 1, 1])
        @asc.jit
        def again(z: asc.GlobalAddress):
            target = asc.GlobalTensor()
            target.set_global_buffer(z, 1)
            target.set_value(0, digit)

    for digit in (1, 2):
        define(digit)
        z, kernel = np.zeros(1, np.int32), pyasc.Kernel("again")
        kernel.set_output(0, z)
        run(kernel)
        assert z[0] == digit


def test_without_a_rule_the_list_is_needed():
    @pyasc.kernel("no_rule", inputs=("x",), outputs=("z",))
    @asc.jit
    def no_rule(x: asc.GlobalAddress, z: asc.GlobalAddress, count: int):
        target = asc.GlobalTensor()
        target.set_global_buffer(z, 1)
        target.set_value(0, count)

    kernel, z = pyasc.Kernel("no_rule"), np.zeros(1, np.int32)
    kernel.set_input(0, z.copy())
    kernel.set_output(0, z)
    assert "has no tiling rule" in refused("K164", kernel.prepare) and "call set_tiling()" in refused("K164", kernel.prepare)
    kernel.set_tiling((1, 0, 0, 77))
    run(kernel)
    assert z[0] == 77
    kernel.set_tiling([1, 2])
    assert "[1, 2]" in refused("K164", kernel.prepare)


def test_a_list_that_the_rule_does_not_ask_for_is_taken_as_it_is():
    @pyasc.kernel("any_list", inputs=("x",), outputs=("z",), tiling=lambda total: [1, 1, 1, total])
    @asc.jit
    def any_list(x: asc.GlobalAddress, z: asc.GlobalAddress, count: int):
        target = asc.GlobalTensor()
        target.set_global_buffer(z, 1)
        target.set_value(0, count)

    kernel, z = pyasc.Kernel("any_list"), np.zeros(6, np.int32)
    kernel.set_input(0, z.copy())
    kernel.set_output(0, z)
    run(kernel)
    assert z[0] == 6
    kernel.set_tiling(np.array([1, 9, 9, 5]))
    run(kernel)
    assert z[0] == 5


# ---------------------------------------------------------------- decoration


@asc.jit
def scaled(x: asc.GlobalAddress, z: asc.GlobalAddress, total: int, scale: float):
    """Only registered, never launched."""


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ({"inputs": ("x",), "outputs": ("z",)}, "parameter 'scale' of 'scaled' has no role"),
        ({"inputs": ("x", "y"), "outputs": ("z",), "attributes": {"scale": 1.0}}, "'y' is no parameter of 'scaled'"),
        ({"inputs": ("x",), "outputs": ("z", "x"), "attributes": {"scale": 1.0}}, "'x' has two roles"),
        ({"inputs": ("x",), "outputs": ("z",), "attributes": {"scale": 1.0, "total": 3}}, "'total' is a number that every kernel gets"),
        ({"inputs": (), "outputs": (), "attributes": {"x": 1, "z": 1, "scale": 1.0}}, "neither inputs nor outputs"),
        (
            {"inputs": ("x",), "outputs": ("z",), "attributes": {"scale": 1.0}, "tiling": lambda total, columns: [1, 1, 1, 1]},
            "its tiling rule has an unknown parameter 'columns'",
        ),
        ({"inputs": ("x",), "outputs": ("z",), "attributes": {"scale": 1.0, "extra": 2}}, "'extra' is no parameter"),
        ({"inputs": ("x",), "outputs": ("z",), "attributes": {"scale": "fast"}}, "the default of attribute 'scale' is 'fast'"),
        (
            {"inputs": ("x",), "outputs": ("z",), "attributes": {"scale": 1.0, "cores": 3}, "tiling": pyasc.tiling.elementwise},
            "attribute 'cores' has the name of a number that tiling rules ask for",
        ),
    ],
)
def test_roles_that_no_launch_could_serve(roles, expected):
    message = refused("K161", pyasc.kernel("never_registered", **roles), scaled)
    assert expected in message and "test_kernels_by_name.py" in message
    assert "never_registered" not in registry.names()


def test_attributes_may_be_for_the_rule_only():
    rule = lambda total, blocks: [blocks, 1, 1, total]  # noqa: E731
    pyasc.kernel("for_the_rule", inputs=("x",), outputs=("z",), attributes={"scale": 1.0, "blocks": 3}, tiling=rule)(scaled)


def test_what_cannot_be_registered():
    assert "expected an @asc.jit kernel" in refused("K161", pyasc.kernel("f", inputs=("x",), outputs=()), lambda x: None)
    roles = {"inputs": ("x",), "outputs": ("z",), "attributes": {"scale": 1.0}}
    assert "of a kernel of pyasc" in refused("K161", pyasc.kernel("relu_kernel", **roles), scaled)
    assert "is taken by 'tells'" in refused("K161", pyasc.kernel("tells", **roles), scaled)
    refused("K167", pyasc.kernel("f", **roles, dtypes=("float8",)), scaled)


def test_names_that_are_not_there():
    message = refused("K160", pyasc.Kernel, "vec_add_kernl")
    assert "did you mean 'vec_add_kernel'?" in message
    assert "fused_layernorm_kernel, gelu_kernel, " in refused("K160", pyasc.Kernel, 3)


def test_a_rule_that_returns_no_list():
    pyasc.kernel("bad_rule", inputs=("x",), outputs=("z",), attributes={"scale": 1.0}, tiling=lambda total: [1, 2, 3])(scaled)
    kernel = pyasc.Kernel("bad_rule")
    kernel.set_input(0, np.zeros(3))
    kernel.set_output(0, np.zeros(3))
    assert "returned [1, 2, 3]" in refused("K161", kernel.prepare)


@pytest.mark.parametrize(("returned", "outputs"), [([4, 2], ("z",)), ([(3,)], ("z", "y")), (3, ("z",)), (None, ("z",))])
def test_a_shape_rule_that_returns_no_shapes(returned, outputs):
    @asc.jit
    def shaped(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress):
        """Never launched."""

    inputs = [name for name in "xy" if name not in outputs]
    pyasc.kernel("bad_shapes", inputs=inputs, outputs=outputs, shapes=lambda *shapes: returned, tiling=pyasc.tiling.elementwise)(shaped)
    kernel = pyasc.Kernel("bad_shapes")
    for number in range(len(inputs)):
        kernel.set_input(number, np.zeros(3))
    for number in range(len(outputs)):
        kernel.set_output(number, np.zeros(3))
    message = refused("K161", kernel.prepare)
    assert f"shape rule '<lambda>' of kernel 'bad_shapes' returned {returned!r}" in message and "test_kernels_by_name.py" in message


def test_defaults_of_numpy():
    pyasc.kernel("numpy_scale", inputs=("x",), outputs=("z",), attributes={"scale": np.float64(1.5)}, tiling=pyasc.tiling.elementwise)(
        scaled
    )
    assert type(registry.find("numpy_scale").attributes["scale"]) is float


def test_files_of_the_same_name(tmp_path):
    """Two modules that are called the same are two modules; one file under two names is one."""
    text = f"{HEAD}    total: int, scale: float):\n    pass\n"
    paths = [tmp_path / folder / "ops.py" for folder in ("one", "two")]
    for path in paths:
        path.parent.mkdir()
        path.write_text(text)
    load(paths[0], "one.ops")
    assert "is taken by 'mine' of module 'one.ops'" in refused("K161", load, paths[1], "two.ops")
    load(paths[0], "one_again.ops")


HEAD = """
import asc, pyasc
@pyasc.kernel("mine", inputs=("x",), outputs=("z",), attributes={"scale": 1.0})
@asc.jit
def mine(x: asc.GlobalAddress, z: asc.GlobalAddress,
"""


def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


# ---------------------------------------------------------------- arguments


def relu(n=100, dtype=np.float32):
    kernel = pyasc.Kernel("relu_kernel")
    kernel.set_input(0, np.ones(n, dtype))
    kernel.set_output(0, np.zeros(n, dtype))
    return kernel


def test_indices():
    kernel = pyasc.Kernel("vec_add_kernel")
    x = np.ones(4, np.float32)
    for index in (2, -1, True, "0", 0.0, None):
        message = refused("K162", kernel.set_input, index, x)
        assert f"got {index!r}, expected 0 to 1" in message and "0 'x', 1 'y'" in message
    assert "expected 0\n" in refused("K162", kernel.set_output, 1, x)
    assert "there are none" in refused("K162", kernel.set_workspace, 0, 100)


def test_types():
    kernel = pyasc.Kernel("relu_kernel")
    for value in ([1.0], 3, None, "x"):
        assert "input 0 ('x') of kernel 'relu_kernel'" in refused("K168", kernel.set_input, 0, value)
    assert "got a tensor of int32, expected float32 or float16 or bfloat16" in refused("K167", kernel.set_input, 0, np.zeros(3, np.int32))
    kernel = relu()
    kernel.set_output(0, np.zeros(100, np.float16))
    assert "output 0 ('z') of kernel 'relu_kernel' has the element type float16, expected float32" in refused("K167", kernel.prepare)


def test_shapes():
    kernel = relu()
    kernel.set_output(0, np.zeros((10, 10), np.float32))
    assert "has the shape (10, 10), expected (100,)" in refused("K166", kernel.prepare)
    kernel = pyasc.Kernel("vec_add_kernel")
    kernel.set_input(0, np.ones((2, 3), np.float32))
    kernel.set_input(1, np.ones((3, 2), np.float32))
    kernel.set_output(0, np.ones((2, 3), np.float32))
    message = refused("K166", kernel.prepare)
    assert "have to have the same shape" in message and "'x' (2, 3), 'y' (3, 2)" in message
    kernel = pyasc.Kernel("rmsnorm_kernel")
    kernel.set_input(0, np.ones((2, 3), np.float32))
    kernel.set_input(1, np.ones(2, np.float32))
    kernel.set_output(0, np.ones((2, 3), np.float32))
    assert "the shape (3,), that of a row" in refused("K166", kernel.prepare)


def test_what_is_missing():
    kernel = pyasc.Kernel("vec_add_kernel")
    kernel.set_input(1, np.ones(3, np.float32))
    message = refused("K163", kernel.prepare)
    assert "set_input(0, ...) for 'x'" in message and "set_output(0, ...) for 'z'" in message and "'y'" not in message
    kernel, *_ = telling()
    kernel._workspaces.clear()
    assert "set_workspace(0, ...) for 'work'" in refused("K163", kernel.prepare)


def test_attributes():
    kernel = pyasc.Kernel("rmsnorm_kernel")
    assert "its attributes are: eps" in refused("K165", kernel.set_attr, "gamma", 1)
    assert "did you mean 'eps'?" in refused("K165", kernel.set_attr, "epsi", 1)
    for value in ("1", None, True, [1.0], np.ones(3)):
        assert "expected float" in refused("K165", kernel.set_attr, "eps", value)
    assert "its attributes are: none" in refused("K165", pyasc.Kernel("relu_kernel").set_attr, "eps", 1)


def test_attributes_without_a_default():
    pyasc.kernel("needs_scale", inputs=("x",), outputs=("z",), attributes={"scale": None}, tiling=pyasc.tiling.elementwise)(scaled)
    kernel = pyasc.Kernel("needs_scale")
    kernel.set_input(0, np.zeros(3, np.float32))
    kernel.set_output(0, np.zeros(3, np.float32))
    assert "before set_attr('scale', ...)" in refused("K163", kernel.prepare)
    kernel.set_attr("scale", 2.0)
    kernel.prepare()


def test_workspaces():
    kernel, *_ = telling()
    for size in (-4, 1.0, "4", None, True, 5):
        assert "a multiple of 4" in refused("K166", kernel.set_workspace, 0, size)


# ---------------------------------------------------------------- tiling lists


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([4, 1, 1, 16], "block_dim * count is less than the number of elements"),
        ([4, 1, 1, 0], "block_dim * count is less than the number of elements"),
        ([4, 2, 1, 100], "outer and inner of an element-wise kernel are 1"),
        ([4, 1, 100], "expected a list of four numbers"),
        ([4, 1, 1, 100, 1], "expected a list of four numbers"),
        ([0, 1, 1, 100], "block_dim from 1 to 65535"),
        ([65536, 1, 1, 100], "block_dim from 1 to 65535"),
        ([4, 1, 1, -1], "none negative"),
        ([4, 1, 1, 2.0], "expected a list of four numbers"),
        ([True, 1, 1, 100], "expected a list of four numbers"),
        (4, "expected a list of four numbers"),
        ("4111", "expected a list of four numbers"),
    ],
    ids=str,
)
def test_lists_that_do_not_fit_elements(given, expected):
    kernel = relu()
    kernel.set_tiling(given)
    message = refused("K164", kernel.prepare)
    assert expected in message and "set_tiling([1, 1, 1, 104]) is valid here" in message
    kernel.set_tiling([1, 1, 1, 104])
    run(kernel)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([4, 2, 1000, 1], "outer of a kernel that works on rows is 1"),
        ([4, 1, 999, 1], "inner is not the length of a row"),
        ([4, 1, 1000, 0], "count is less than one row"),
        ([4, 1, 1000, 9], "count rows at a time are more than fit into the buffers of a core"),
    ],
    ids=str,
)
def test_lists_that_do_not_fit_rows(given, expected):
    kernel, x = pyasc.Kernel("softmax_kernel"), np.zeros((20, 1000), np.float32)
    kernel.set_input(0, x)
    kernel.set_output(0, x.copy())
    kernel.set_tiling(given)
    message = refused("K164", kernel.prepare)
    assert expected in message and "set_tiling([20, 1, 1000, 1]) is valid here" in message and "row=1000" in message
    kernel.set_tiling([32, 1, 1000, 1])  # more blocks than rows
    run(kernel)


def test_a_rule_that_refuses_the_inputs():
    kernel, *_ = telling()
    kernel.set_attr("scale", 99)
    assert "kernel 'tells' refuses these inputs: scale 99 is not for this kernel" in refused("K164", kernel.prepare)
    kernel.set_tiling([1, 1, 1, 1])
    assert "there is no valid list for these inputs: scale 99" in refused("K164", kernel.prepare)


@pytest.mark.parametrize("total", [0, 1, 7, 8, 9, 2047, 2048, 2049, 100_000, 98_304, 10**9])
@pytest.mark.parametrize("itemsize", [2, 4])
def test_chosen_lists_of_elements(total, itemsize):
    block_dim, outer, inner, count = pyasc.tiling.elementwise(total, itemsize, 48)
    assert 1 <= block_dim <= 48 and (outer, inner) == (1, 1) and count * itemsize % 32 == 0
    assert block_dim * count >= total and (block_dim - 1) * count < max(total, 1)  # no block without work
    assert pyasc.tiling.elementwise(total, itemsize, 48, block_dim, outer, inner, count) == [block_dim, outer, inner, count]


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (1, 1), (7, 8192), (7, 8193), (1000, 3), (3, 1000), (48, 64)], ids=str)
@pytest.mark.parametrize("itemsize", [2, 4])
def test_chosen_lists_of_rows(shape, itemsize):
    rule = pyasc.tiling.rowwise(8192)
    rows, row = shape
    block_dim, outer, inner, count = chosen = rule(rows * row, row, itemsize, 48)
    assert 1 <= block_dim <= 48 and outer == 1 and inner == row and 1 <= count
    assert count == 1 or count * row <= 8192
    assert rule(rows * row, row, itemsize, 48, *chosen) == chosen
