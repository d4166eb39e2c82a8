# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What can be passed to a kernel, where its bytes end up, and what is refused before anything runs.
import warnings

import asc
import ml_dtypes
import numpy as np
import pytest
from pyasc.errors import LaunchError, PyascWarning
from runtime_kernels import add, copy, static, store
from support.python_kernel import define, kernel_of

DTYPES = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
DTYPES += [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]


def refused(code, action):
    with pytest.raises(LaunchError) as caught:
        action()
    assert caught.value.code == code, caught.value
    return caught.value


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: np.dtype(d).name)
def test_every_dtype_arrives(dtype):
    bits = np.random.default_rng(1).integers(0, 2, 64) if dtype is np.bool_ else np.arange(64) - 32 * (np.dtype(dtype).kind == "i")
    src, dst = bits.astype(dtype), np.zeros(64, dtype)
    copy[1](src, dst, 64)
    assert src.tobytes() == dst.tobytes()


def test_raw_words_are_bfloat16():
    src, dst = np.arange(64).astype(ml_dtypes.bfloat16), np.zeros(64, ml_dtypes.bfloat16)
    copy[1](src.view("V2"), dst.view("V2"), 64)
    np.testing.assert_array_equal(src, dst)
    assert copy.compile(src.view("V2"), dst, 64).key == copy.compile(src, dst, 64).key


@pytest.mark.parametrize(
    ("dtype", "value", "stored"),
    [
        (np.int32, 7, 7),
        (np.int32, -7, -7),
        (np.int64, 2**31, 2**31),
        (np.int64, -(2**63), -(2**63)),
        (np.float32, 0.1, np.float32(0.1)),
        (np.bool_, True, True),
        (np.bool_, np.bool_(True), True),
        (np.int8, np.int8(-5), -5),
        (np.uint8, np.uint8(250), 250),
        (np.uint64, np.uint64(2**64 - 1), 2**64 - 1),
        (np.float16, np.float16(1.5), 1.5),
        (ml_dtypes.bfloat16, ml_dtypes.bfloat16(1.5), 1.5),
        (np.float64, np.float64(0.1), 0.1),
    ],
)
def test_scalars_have_their_own_type(dtype, value, stored):
    out = np.zeros(1, dtype)
    store[1](out, value)
    assert out[0] == stored
    assert f"{'bool' if dtype is np.bool_ else np.dtype(dtype).name}" in store.compile(out, value).listing


ANNOTATED = [
    ("asc.int8", -128, -128),
    ("asc.uint8", 255, 255),
    ("asc.int16", np.int64(-5), -5),
    ("asc.uint16", True, 1),
    ("asc.uint32", 2**32 - 1, 2**32 - 1),
    ("asc.uint64", 2**64 - 1, 2**64 - 1),
    ("asc.int64", 7, 7),
    ("asc.int32", np.uint8(200), 200),
    ("asc.float16", 0.1, np.float16(0.1)),
    ("asc.float16", 2049, np.float16(2049)),
    ("asc.float16", float("-inf"), -np.inf),
    ("asc.float16", np.float64(1 + 2**-11 + 2**-40), np.float16(1 + 2**-10)),
    ("asc.bfloat16", 1 / 3, ml_dtypes.bfloat16(1 / 3)),
    ("asc.float32", 3, 3),
    ("asc.float32", 2**24 + 1, np.float32(2**24 + 1)),
    ("asc.float32", np.float16(0.1), np.float16(0.1)),
    ("asc.float64", 0.1, 0.1),
    ("np.int16", 300, 300),
    ("np.float16", 1.5, 1.5),
    ("np.bool_", False, False),
    ("'asc.uint16'", 65535, 65535),
]


@pytest.mark.parametrize("annotation, value, stored", ANNOTATED)
def test_annotated_numbers_have_the_type_of_the_annotation(annotation, value, stored):
    name = annotation.strip("'").split(".")[1]
    dtype = np.dtype(getattr(ml_dtypes, name, None) or getattr(np, name))
    kernel = kernel_of(f"asc.static_assert(v.dtype == asc.{name})\ng.set_value(0, v)", f"v: {annotation}")
    out = np.zeros(64, dtype)
    kernel[1](out, value)
    assert out[0] == np.array(stored).astype(dtype)
    kernel.compile(out, getattr(asc, name))


UNFIT = [
    ("asc.int8", 128, "K123"),
    ("asc.int8", -129, "K123"),
    ("asc.uint8", -1, "K123"),
    ("asc.uint64", 2**64, "K123"),
    ("asc.int32", np.int64(2**31), "K123"),
    ("np.bool_", 2, "K123"),
    ("asc.int32", 1.0, "K120"),
    ("asc.int32", np.zeros(4, np.int32), "K120"),
    ("asc.int32", "5", "K120"),
    ("asc.float16", 70000.0, "K124"),
    ("asc.float32", 10**39, "K124"),
    pytest.param("asc.float64", 10**400, "K124", id="beyond float64"),
    ("asc.float32", np.ones(1, np.float32), "K120"),
    ("asc.int32", asc.int64, "K120"),
]


@pytest.mark.parametrize("annotation, value, code", UNFIT)
def test_numbers_that_the_annotation_rules_out(annotation, value, code):
    kernel = kernel_of("g.set_value(0, v)", f"v: {annotation}")
    found = refused(code, lambda: kernel[1](np.zeros(64, np.float32), value))
    assert "'v' of kernel 'kernel'" in found.diagnostics[0].message


def test_annotations_that_only_a_type_checker_knows():
    kernel = kernel_of("g.set_value(0, v)", "v: 'no_such_module.Number'")
    out = np.zeros(64, np.int32)
    kernel[1](out, 5)
    assert out[0] == 5


def test_bytes_are_arrays_of_uint8():
    kernel = define(
        """
        @asc.jit
        def kernel(src: asc.GlobalAddress, dst: asc.GlobalAddress):
            x, y = asc.GlobalTensor(), asc.GlobalTensor()
            x.set_global_buffer(src, 4)
            y.set_global_buffer(dst, 4)
            for i in range(4):
                y.set_value(i, x.get_value(3 - i))
        """,
        "kernel",
    )
    given, result = b"\x01\x02\xfe\xff", bytearray(4)
    kernel[1](given, result)
    assert result == given[::-1]
    out = np.zeros(4, np.uint8)
    kernel[1](bytearray(given), out)
    assert out.tobytes() == given[::-1]
    refused("K130", lambda: kernel[1](given, bytes(4)))
    for part in (np.frombuffer(result, np.uint8)[1:], np.frombuffer(result, np.uint8)[::2]):
        refused("K131", lambda: kernel[1](result, part))  # noqa: B023


def test_keywords_and_defaults():
    @asc.jit
    def kernel(dst: asc.GlobalAddress, a: int, b: int = 20, *, c: int = 300):
        out = asc.GlobalTensor()
        out.set_global_buffer(dst, 1)
        out.set_value(0, a + b + c)

    out = np.zeros(1, np.int32)
    for call, expected in [
        (lambda: kernel[1](out, 1), 321),
        (lambda: kernel[1](out, 1, 2), 303),
        (lambda: kernel[1](out, c=3, a=1), 24),
        (lambda: kernel[1](b=5, dst=out, a=6), 311),
    ]:
        call()
        assert out[0] == expected
    refused("K111", lambda: kernel[1](out, 1, 2, 3))
    assert "'a'" in refused("K110", lambda: kernel[1](out)).diagnostics[0].message


def test_static_arguments_by_value():
    out = np.zeros(1, np.int32)
    for value in (1, 2, 1):
        static[1](out, value)
        assert out[0] == value
    static[1](out, asc.ConstExpr(9))
    assert out[0] == 9


def test_mutable_static_argument_is_read_again():
    @asc.jit
    def kernel(dst: asc.GlobalAddress, sizes: asc.ConstExpr[list]):
        out = asc.GlobalTensor()
        out.set_global_buffer(dst, 1)
        out.set_value(0, sizes[0])

    out, sizes = np.zeros(1, np.int32), [4]
    kernel[1](out, sizes)
    sizes[0] = 5
    kernel[1](out, sizes)
    assert out[0] == 5
    refused("K125", lambda: kernel[1](out, (1,)))


def test_contiguous_arrays_are_not_copied():
    x = np.arange(64, dtype=np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        add[1](x[:32], x[32:], z := np.zeros(32, np.float32), 32)
        add[1](x.reshape(8, 8)[:4], x.reshape(2, 32)[1], z, 32)
    np.testing.assert_array_equal(z, x[:32] + x[32:])


def test_non_contiguous_arrays_are_copied_and_written_back():
    x, base = np.arange(32, dtype=np.float32), np.full((32, 3), -1, np.float32)
    with pytest.warns(PyascWarning, match="K132.*'z'"):
        add[1](x, x, base[:, 1], 32)
    np.testing.assert_array_equal(base[:, 1], x + x)
    assert (base[:, [0, 2]] == -1).all()
    with pytest.warns(PyascWarning, match="K132"):
        add[1](x[::-1], x, z := np.zeros(32, np.float32), 32)
    np.testing.assert_array_equal(z, x[::-1] + x)
    fortran = np.asfortranarray(x.reshape(4, 8))
    with pytest.warns(PyascWarning, match="K132"):
        add[1](fortran, x, z, 32)
    np.testing.assert_array_equal(z, fortran.ravel() + x)


def test_a_warning_may_launch_a_kernel():
    """The first launch goes on with its own arrays."""
    x, z, other = np.arange(64, dtype=np.float32), np.zeros(32, np.float32), np.zeros(32, np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda *_, **__: add[1](x[32:], x[32:], other, 32)
        add[1](x[:32], x[::2], z, 32)
    np.testing.assert_array_equal(z, x[:32] + x[::2])
    np.testing.assert_array_equal(other, 2 * x[32:])


def test_misaligned_arrays_are_copied():
    raw = np.zeros(32 * 4 + 1, np.uint8)
    z, x = raw[1:].view(np.float32), np.arange(32, dtype=np.float32)
    with pytest.warns(PyascWarning, match="K132"):
        add[1](x, x, z, 32)
    np.testing.assert_array_equal(z, x + x)


def test_the_same_array_twice_is_one_buffer():
    x = np.arange(32, dtype=np.float32)
    add[1](x, x, x, 32)
    np.testing.assert_array_equal(x, 2 * np.arange(32))
    columns = np.tile(np.arange(32, dtype=np.float32)[:, None], 2)
    column = columns[:, 0]
    with pytest.warns(PyascWarning, match="K132"):
        add[1](column, column, column, 32)
    np.testing.assert_array_equal(columns, np.stack([2 * np.arange(32), np.arange(32)], axis=1))


def test_overlapping_arrays():
    x = np.arange(64, dtype=np.float32)
    before = x.copy()
    found = refused("K131", lambda: add[1](x[:32], x[:32], x[8:40], 32))
    assert "'x'" in found.diagnostics[0].message and "'z'" in found.diagnostics[0].message
    np.testing.assert_array_equal(x, before)
    z = np.zeros(32, np.float32)
    add[1](x[:32], x[8:40], z, 32)  # reading the overlap is no conflict
    np.testing.assert_array_equal(z, x[:32] + x[8:40])
    pairs = np.zeros((32, 2), np.float32)
    with pytest.warns(PyascWarning):
        add[1](pairs[:, 0], x[:32], pairs[:, 1], 32)  # interleaved, no byte in common
    np.testing.assert_array_equal(pairs[:, 1], x[:32])
    refused("K131", lambda: add[1](pairs[:, 1], x[:32], pairs.ravel()[:32], 32))


def test_read_only_arrays():
    x = np.arange(32, dtype=np.float32)
    x.flags.writeable = False
    z = np.zeros(32, np.float32)
    add[1](x, x, z, 32)
    np.testing.assert_array_equal(z, 2 * x)
    found = refused("K130", lambda: add[1](z, z, x, 32))
    assert isinstance(found, ValueError) and "'z'" in found.diagnostics[0].message
    np.testing.assert_array_equal(x, np.arange(32))


@pytest.mark.parametrize(
    ("code", "argument"),
    [
        ("K122", np.zeros(32, ">f4")),
        ("K121", np.zeros(32, complex)),
        ("K121", np.zeros(32, object)),
        ("K121", np.zeros(32, "U4")),
        ("K121", np.zeros(32, "M8[s]")),
        ("K121", np.zeros(32, [("a", "u1"), ("b", "u1")])),
        ("K129", np.ma.zeros(32, np.float32)),
        ("K120", [1.0, 2.0]),
        ("K120", None),
        ("K120", "x"),
        ("K120", 1j),
        ("K120", asc),
    ],
    ids=repr,
)
def test_what_is_no_argument(code, argument):
    z = np.zeros(32, np.float32)
    found = refused(code, lambda: add[1](argument, z, z, 32))
    assert isinstance(found, TypeError)
    assert "'x' of kernel 'add'" in found.diagnostics[0].message
    assert found.diagnostics[0].help


def test_numbers_out_of_range():
    out = np.zeros(1, np.int32)
    assert isinstance(refused("K123", lambda: store[1](out, 2**63)), ValueError)
    assert isinstance(refused("K124", lambda: store[1](out, 1e39)), ValueError)
    store[1](np.zeros(1, np.float32), float("inf"))


@pytest.mark.parametrize("cores", [0, -1, 65536, 2**80])
def test_core_count_range(cores):
    assert isinstance(refused("K103", lambda: copy[cores]), ValueError)


@pytest.mark.parametrize("brackets", ["8", 8.0, True, None, (), (1, None, 2), (1, 5), (1, object())])
def test_brackets(brackets):
    with pytest.raises(LaunchError) as caught:
        copy[brackets]
    assert caught.value.code in ("K102", "K104", "K105")


def test_launchers_are_values():
    stream = asc.lib.runtime.create_stream()
    first, second = add[1], add[2, stream]
    assert (first.cores, second.cores, second.stream) == (1, 2, stream)
    assert first.kernel is add
    with pytest.raises(AttributeError):
        first.cores = 3
    x, z = np.ones(32, np.float32), np.zeros(32, np.float32)
    assert first(x, x, z, 32) is None
    assert z.all()


def test_stand_ins_compile_and_do_not_launch():
    mock = asc.runtime.jit.MockTensor(asc.float16)
    number = asc.runtime.jit.MockValue(asc.int32)
    array = np.zeros(32, np.float16)
    calls = [(mock, mock, mock, number), (asc.float16, asc.float16, asc.float16, asc.int32), (array, array, array, 32)]
    keys = {add.compile(*arguments).key for arguments in calls}
    assert len(keys) == 1
    refused("K126", lambda: add[1](mock, mock, mock, 32))


def test_last_launch():
    x, z = np.ones(64, np.float32), np.zeros(64, np.float32)

    @asc.jit
    def fresh(dst: asc.GlobalAddress):
        out = asc.GlobalTensor()
        out.set_global_buffer(dst, 1)
        out.set_value(0, 1.0)

    assert fresh.last_launch is None
    add[1](x, x, z, 64)
    launch = add.last_launch
    assert (launch.gm_read_bytes, launch.gm_written_bytes, launch.gm_transfers) == (512, 256, 3)
    assert launch.cycles > 0 and launch.microseconds > 0 and launch.instructions > 0
    assert launch.pipes["V"][1] == 1 and launch.pipes["MTE2"][1] == 2
    fresh[1](z)
    assert add.last_launch.cycles == launch.cycles
