# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What kernels show of themselves besides printf: dumps of tensors, time stamps; and the switches that take text away.
import contextlib
import io
import re
import warnings

import asc
import numpy as np
import pytest
from support.dtypes import FLOATS, NUMPY
from support.kernel_file import load, marked_lines
from support.refusals import diagnostics_of, text_of

HEAD = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x, 256)
    ub = asc.LocalTensor(asc.DTYPE, asc.TPosition.VECIN, 1024, 256)
    asc.data_copy(ub, gm, 256)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
"""


def source_of(*lines: str, dtype="float32") -> str:
    return HEAD.replace("DTYPE", dtype) + "".join(f"    {line}\n" for line in lines)


def printed(*lines: str, dtype="float32", data=None, n=8, blocks=1, **options) -> str:
    kernel = load(source_of(*lines, dtype=dtype)).kernel.options(**options)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        kernel[blocks](np.arange(256).astype(NUMPY[dtype]) if data is None else data, n)
    return out.getvalue()


def shown(value, dtype: str) -> str:
    """An element as C's %f, or as an int; bool is 1 or 0."""
    return f"{float(value):f}" if dtype in FLOATS else str(int(value))


DTYPES = ["bool_", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "bfloat16", "float32"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("check", [True, False])
def test_elements_of_every_type(dtype, check):
    low = 0 if dtype == "bool_" or dtype[0] == "u" else -3
    data = np.resize(np.array([low, 0, 1, 2, 100, 127]).astype(NUMPY[dtype]), 256)
    if dtype in FLOATS:
        data[6:8] = 0.1, -1.5
    elif dtype != "bool_":
        data[6:8] = np.iinfo(dtype).min, np.iinfo(dtype).max
    name = dtype.rstrip("_")
    lines = [
        f"DumpTensor: desc=7, addr=0x400, data_type={name}, position=UB, dump_size=8",
        f"[{', '.join(shown(v, dtype) for v in data[:8])}]",
    ]
    assert printed("asc.dump_tensor(ub, 7, n)", dtype=dtype, data=data, check=check).splitlines() == lines
    text = printed("asc.dump_tensor(gm, 7, 8)", "asc.printf('%p', gm.get_phy_addr(0))", dtype=dtype, data=data, check=check)
    head, elements, address = text.splitlines()
    address = "0x0" if address == "nil" else address
    assert head == f"DumpTensor: desc=7, addr={address}, data_type={name}, position=GM, dump_size=8"
    assert elements == lines[1]


def test_float_specials():
    data = np.zeros(256, np.float32)
    data[:6] = np.nan, np.inf, -np.inf, -0.0, 1e-9, 3.4e38
    elements = printed("asc.dump_tensor(ub, 0, 6)", data=data).splitlines()[1]
    assert elements == f"[nan, inf, -inf, -0.000000, 0.000000, {float(data[5]):f}]"


def test_parts_of_a_tensor():
    part = "[16.000000, 17.000000]"
    for call in ("dump_tensor(ub[16:], 3, 2)", "dump_tensor(ub[2 * n], 3, 2)", "dump_acc_chk_point(ub, 3, 16, 2)",
                 "dump_acc_chk_point(tensor=ub[8:], index=n - 5, count_off=n, dump_size=2)"):  # fmt: skip
        text = printed(f"asc.{call}")
        assert text == f"DumpTensor: desc=3, addr=0x440, data_type=float32, position=UB, dump_size=2\n{part}\n", call
    for call in ("dump_tensor(gm[16:], 3, 2)", "dump_acc_chk_point(gm, 3, 16, 2)", "dump_acc_chk_point(gm[9:], 3, 7, 2)"):
        assert re.fullmatch(rf"DumpTensor: desc=3, addr=0x\w+40, .*, position=GM, dump_size=2\n{re.escape(part)}\n", printed(f"asc.{call}"))


def test_the_largest_dump():
    data = np.arange(256, dtype=np.float32)
    size = 30 * 1024 // 4
    lines = [f"big = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 4096, {size + 8})", f"asc.duplicate(big, 2.0, {size + 8})"]
    lines += ["asc.pipe_barrier(asc.PipeID.PIPE_ALL)", f"asc.dump_tensor(big, 1, {size})"]
    assert printed(*lines, data=data).splitlines()[1] == f"[{', '.join(['2.000000'] * size)}]"
    lines[-1] = f"asc.dump_tensor(big, 1, {size + 1})"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert printed(*lines, data=data) == ""
    assert [w.message.diagnostic.code for w in caught] == ["R127"]
    assert "dump_size is 7681 (30724 bytes), so nothing is shown, expected at most 7680 elements" in str(caught[0].message)


def test_a_large_copy_that_stays_in_its_array():
    """Bytes that the simulator has not moved to UB yet are shown as if they were there."""
    data = np.arange(8192, dtype=np.float32)
    lines = [
        "gm.set_global_buffer(x, 8192)",
        "big = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 4096, 8192)",
        "asc.data_copy(big, gm, 8192)",
    ]
    lines += ["asc.pipe_barrier(asc.PipeID.PIPE_ALL)", "asc.dump_acc_chk_point(big, 1, 8000, 4)", "asc.dump_tensor(big, 2, 2)"]
    text = printed(*lines, data=data)
    assert text.splitlines()[1::2] == ["[8000.000000, 8001.000000, 8002.000000, 8003.000000]", "[0.000000, 1.000000]"]


def test_in_the_order_of_the_program_and_block_by_block():
    text = printed("print('a', asc.get_block_idx())", "asc.dump_tensor(ub, asc.get_block_idx(), 1)", "print('b')", blocks=3)
    dump = "DumpTensor: desc={0}, addr=0x400, data_type=float32, position=UB, dump_size=1\n[0.000000]\n"
    assert text == "".join(f"a {i}\n{dump.format(i)}b\n" for i in range(3))


# ---------------------------------------------------------------- shapes


def nested(items: list[str], shape: tuple[int, ...]) -> str:
    if len(shape) == 1:
        return f"[{','.join(items)}]"
    rest = len(items) // shape[0] if shape[0] else 0
    return "[" + ",\n".join(nested(items[i * rest : (i + 1) * rest], shape[1:]) for i in range(shape[0])) + "]"


def in_shape(values: list[str], shape: tuple[int, ...]) -> str:
    """The values from the first on; those that are missing are '-', those that are too many are not shown."""
    size = int(np.prod(shape))
    text = nested([*values, *["-"] * size][:size], shape) + "\n"
    if len(values) == size:
        return text
    why = "dumpSize is greater than shapeSize" if len(values) > size else "data is not enough"
    return f"shape is {list(shape)}, dumpSize is {len(values)}, {why}.\n{text}"


SHAPES = [
    (8,),
    (2, 4),
    (4, 2),
    (2, 2, 2),
    (1, 1, 8),
    (8, 1),
    (2, 1, 2, 2),
    (1, 2, 1, 2, 1, 2, 1, 1),
    (7, 8),
    (9, 8),
    (3,),
    (2, 3),
    (64,),
    (3, 3),
    (0, 8),
    (8, 0),
]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("size", [1, 8, 64])
@pytest.mark.parametrize("tensor", ["ub", "gm"])
def test_elements_in_a_shape(shape, size, tensor):
    lines = [f"info = asc.ShapeInfo(asc.array(asc.uint32, {list(shape)}))", f"asc.dump_tensor({tensor}, 5, {size}, info)"]
    head, text = printed(*lines, dtype="int16").split("\n", 1)
    assert head.endswith(f"data_type=int16, position={tensor.upper()}, dump_size={size}")
    assert text == in_shape([str(i) for i in range(size)], shape)


def test_what_the_documents_show():
    for rows, why in ((7, "dumpSize is greater than shapeSize"), (9, "data is not enough")):
        text = printed(f"asc.dump_tensor(ub, 1, 64, shape_info=asc.ShapeInfo(asc.array(asc.uint32, [{rows}, n])))")
        head, line, *lines = text.splitlines()
        assert head.endswith("dump_size=64") and line == f"shape is [{rows}, 8], dumpSize is 64, {why}."
        numbers = [",".join(f"{8 * row + i}.000000" for i in range(8)) for row in range(8)]
        numbers.append(",".join("-" * 8))
        wanted = [f"[{row}]," for row in numbers[:rows]]
        assert lines == [f"[{wanted[0]}", *wanted[1:-1], f"{wanted[-1][:-1]}]"]


def test_the_shape_of_the_tensor():
    lines = ["ub.set_shape_info(asc.ShapeInfo(asc.array(asc.int32, [2, 2])))", "other = asc.ShapeInfo(asc.array(asc.int32, [4]))"]
    square, row, flat = "[[0,1],\n[2,3]]\n", "[0,1,2,3]\n", "[0, 1, 2, 3]\n"
    for call, text in (
        ("dump_tensor(ub, 1, 4)", square),
        ("dump_tensor(ub, 1, 4, None)", square),
        ("dump_tensor(ub, desc=1, dump_size=4, shape_info=None)", square),
        ("dump_tensor(ub, 1, 4, other)", row),
        ("dump_tensor(tensor=ub, desc=1, dump_size=4, shape_info=other)", row),
        ("dump_tensor(ub[0:], 1, 4)", flat),
        ("dump_tensor(gm, 1, 4)", flat),
        ("dump_acc_chk_point(ub, 1, 0, 4)", flat),
    ):
        assert printed(*lines, f"asc.{call}", dtype="int32").split("\n", 1)[1] == text, call


@pytest.mark.parametrize("n", [100, 2**31 - 1, -1])
def test_a_shape_that_is_too_large(n):
    """It would be filled with '-' without end."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert printed("asc.dump_tensor(ub, 1, 8, asc.ShapeInfo(asc.array(asc.int32, [n, 77, n, n])))", n=n) == ""
    assert [w.message.diagnostic.code for w in caught] == ["R127"]
    assert "the shape has more elements, so nothing is shown, expected at most 7680 elements" in str(caught[0].message)
    assert printed("asc.dump_tensor(ub, 1, 8, asc.ShapeInfo(asc.array(asc.int32, [n, 77, n, n])))", n=n, check=False) == ""


# ---------------------------------------------------------------- checks

WRONG = [
    ("dump_tensor(ub, 1, 0)", "R105", "dump_size is 0, expected 1 to 4294967295"),
    ("dump_tensor(ub, -1, 8)", "R105", "desc is -1"),
    ("dump_tensor(ub, 1, -8)", "R105", "dump_size is -8"),
    ("dump_acc_chk_point(ub, 1, -8, 8)", "R105", "count_off is -8"),
    ("dump_tensor(ub, 1, 257)", "R110", "reaches 257 elements"),
    ("dump_acc_chk_point(ub, 1, 248, 16)", "R110", "reaches 264 elements"),
    ("dump_tensor(ub[1:], 1, 8)", "R126", "start at byte 1028 of UB, expected a multiple of 32 bytes"),
    ("dump_acc_chk_point(ub, 1, 4, 8)", "R126", "start at byte 1040 of UB, expected a multiple of 32 bytes"),
    ("dump_tensor(ub, 1, 8, [2, 4])", "T401", "expected a ShapeInfo"),
    ("dump_acc_chk_point(ub, 1, 0, 8, None)", "T401", "positional arguments, got more"),
    ("dump_tensor(n, 1, 8)", "T401", "expected a LocalTensor or GlobalTensor"),
    ("dump_tensor(ub, 'here', 8)", "T401", "'desc' is 'here' (str), expected an int"),
    ("dump_tensor(ub, 1)", "T401", "'dump_size' is missing"),
    ("dump_tensor(asc.LocalTensor(asc.float16, asc.TPosition.A2, 0, 64), 1, 8)", "R125", "tensor is in A2"),
    ("dump_tensor(asc.LocalTensor(asc.float64, asc.TPosition.VECIN, 0, 64), 1, 8)", "R101", "tensor is float64"),
    ("print_time_stamp(-1)", "R105", "desc_id is -1"),
    ("print_time_stamp(1.5)", "T401", "'desc_id' is"),
]


@pytest.mark.parametrize("call, code, message", WRONG, ids=[call for call, _, _ in WRONG])
@pytest.mark.parametrize("options", [{"time_stamps": True}, {"dump": False}], ids=["shown", "left out"])
def test_mistakes_that_the_compiler_sees(call, code, message, options):
    source = source_of(f"asc.{call}  # <- here")
    kernel = load(source).kernel.options(**options)
    (found,) = diagnostics_of(lambda: kernel[1](np.zeros(256, np.float32), 8))
    assert (found.code, found.span.line) == (code, marked_lines(source)["here"])
    assert message in text_of(found)


@pytest.mark.parametrize(
    "call, n, code",
    [
        ("dump_tensor(ub, 1, n)", 257, "R110"),
        ("dump_tensor(ub, 1, n)", 0, "R105"),
        ("dump_tensor(ub, 1, n)", -1, "M205"),
        ("dump_tensor(gm, 1, n)", 1000, "M101"),
        ("dump_acc_chk_point(ub, 1, n, 8)", 3, "R126"),
        ("dump_acc_chk_point(gm, 1, n, 8)", 250, "M101"),
        ("dump_tensor(ub[n:], 1, 8)", 1, "R126"),
    ],
)
def test_mistakes_of_the_run(call, n, code):
    source = source_of(f"asc.{call}  # <- here")
    kernel = load(source).kernel
    found = diagnostics_of(lambda: kernel[1](np.zeros(256, np.float32), n))
    assert code in {d.code for d in found}
    assert {d.span.line for d in found} == {marked_lines(source)["here"]}


@pytest.mark.parametrize(
    "call, n", [("dump_tensor(ub, 1, n)", -1), ("dump_tensor(gm, 1, n)", 1000), ("dump_acc_chk_point(ub, n, n, n)", -8)]
)
def test_without_checks_nothing_outside_of_the_memory_is_read(call, n):
    kernel = load(source_of(f"asc.{call}")).kernel.options(check=False)
    try:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            kernel[1](np.zeros(256, np.float32), n)
    except Exception as error:
        assert error.diagnostics[0].code == "M101"
    assert out.getvalue() == ""


def codes_of(*lines: str, **options) -> set[str]:
    kernel = load(source_of(*lines)).kernel.options(**options)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            kernel[1](np.zeros(256, np.float32), 8)
    except Exception as error:
        return {d.code for d in error.diagnostics}
    return set()


WAIT = ["asc.set_flag(asc.HardEvent.V_S, 0)", "asc.wait_flag(asc.HardEvent.V_S, 0)"]


@pytest.mark.parametrize("call", ["dump_tensor(ub, 1, 8)", "dump_acc_chk_point(ub, 1, 8, 8)"])
def test_a_dump_does_not_wait(call):
    """Of what the vector unit still writes, or overwrites later, in the strict mode; with auto_sync the device compiler orders the two."""
    write = "asc.duplicate(ub, 1.0, 256)"
    assert codes_of(write, f"asc.{call}", auto_sync=False) == {"S301"}
    assert codes_of(write, *WAIT, f"asc.{call}", auto_sync=False) == set()
    assert codes_of(write, f"asc.{call}") == set()
    assert codes_of(f"asc.{call}", write, auto_sync=False) == {"S301"}
    # What the other half is doing is none of its business.
    assert codes_of("asc.duplicate(ub[64:], 1.0, 64)", f"asc.{call}", auto_sync=False) == set()


def test_a_dump_of_what_a_copy_still_writes():
    for auto_sync in (True, False):
        copied = codes_of("asc.data_copy(ub, gm, 64)", "asc.dump_tensor(ub, 1, 8)", auto_sync=auto_sync)
        assert copied == (set() if auto_sync else {"S301"})


def test_uninitialised_elements():
    fresh = "new = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 8192, 64)"
    assert codes_of(fresh, "asc.dump_tensor(new, 1, 8)") == {"M301"}
    fill = "asc.duplicate(new, 1.0, 8)"
    barrier = "asc.pipe_barrier(asc.PipeID.PIPE_ALL)"
    assert codes_of(fresh, fill, barrier, "asc.dump_tensor(new, 1, 8)") == set()
    assert codes_of(fresh, fill, barrier, "asc.dump_tensor(new, 1, 9)") == {"M301"}
    assert codes_of(fresh, fill, barrier, "asc.dump_acc_chk_point(new, 1, 8, 1)") == {"M301"}


def test_inserted_synchronisation_waits_for_the_vector_unit():
    """Also where the place of the dump is not known while compiling."""
    kernel = load(source_of("asc.duplicate(ub, 3.0, 256)", "asc.dump_acc_chk_point(ub, 1, n, 2)", "asc.duplicate(ub, 4.0, 256)")).kernel
    kernel = kernel.options(insert_sync=True, auto_sync=False)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        kernel[1](np.zeros(256, np.float32), 16)
    assert out.getvalue().splitlines()[1] == "[3.000000, 3.000000]"


# ---------------------------------------------------------------- time stamps

STAMP = re.compile(r"descId is (\d+), rsv is 0, timeStamp is (\d+), pcPtr is (\d+)\.\n")


def test_time_stamps():
    lines = [
        "asc.print_time_stamp(65577)",
        "asc.duplicate(ub, 1.0, 256)",
        "asc.pipe_barrier(asc.PipeID.PIPE_ALL)",
        "asc.print_time_stamp(65570 + n)",
    ]
    text = printed(*lines, time_stamps=True)
    (first, start, pc), (second, end, later) = [tuple(map(int, m)) for m in STAMP.findall(text)]
    assert STAMP.sub("", text) == "" and (first, second) == (65577, 65578)
    assert start < end and pc < later
    kernel = load(source_of(*lines)).kernel.options(time_stamps=True)
    listing = kernel.compile(np.zeros(256, np.float32), 8).listing
    numbers = [int(line.split()[0].rstrip(":")) for line in listing.splitlines() if re.match(r"\s*\d+:?\s+print_time_stamp", line)]
    assert numbers == [pc, later]


def test_time_stamps_come_on_demand():
    line = "asc.print_time_stamp(65577)"
    assert printed(line) == printed(line, time_stamps=False) == ""
    macro = {"bisheng_options": ("-O3", "-DASCENDC_TIME_STAMP_ON")}
    assert STAMP.fullmatch(printed(line, **macro))
    assert printed(line, time_stamps=False, **macro) == ""
    assert printed(line, bisheng_options=("-DASCENDC_TIME_STAMP_ONLY",)) == ""
    kernel = load(source_of(line)).kernel
    texts = [kernel.options(time_stamps=on).compile(np.zeros(256, np.float32), 8).ascendc for on in (True, False)]
    assert ["PrintTimeStamp" in text for text in texts] == [True, False]
    assert ["#define ASCENDC_TIME_STAMP_ON\n#include" in text for text in texts] == [True, False]


def test_numbers_below_65536_are_taken():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert STAMP.fullmatch(printed("asc.print_time_stamp(65535)", time_stamps=True))
    assert [w.message.diagnostic.code for w in caught] == ["R128"]


def test_marks_for_the_profiler_do_nothing_here():
    lines = ["asc.metrics_prof_start()", "asc.metrics_prof_start()", "asc.metrics_prof_stop()"]
    assert printed(*lines) == ""
    text = load(source_of(*lines)).kernel.compile(np.zeros(256, np.float32), 8).ascendc
    assert text.count("AscendC::MetricsProfStart();") == 2 and text.count("AscendC::MetricsProfStop();") == 1


# ---------------------------------------------------------------- without text

TEXT = ["print('n', n)", "asc.printf('%d', n)", "asc.dump_tensor(ub, 1, 8)", "asc.dump_acc_chk_point(ub, 1, 0, 8)", "gm.set_value(0, 5.0)"]


def run(kernel) -> tuple[str, float]:
    data = np.zeros(256, np.float32)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        kernel[1](data, 8)
    return out.getvalue(), data[0]


@pytest.mark.parametrize(
    "value, on", [(None, True), ("", True), ("true", True), ("TRUE", True), ("false", False), ("False", False), ("0", False)]
)
def test_the_environment_takes_the_text_away(value, on, monkeypatch):
    kernel = load(source_of(*TEXT)).kernel
    assert run(kernel)[0]
    monkeypatch.delenv("ASCENDC_DUMP", raising=False) if value is None else monkeypatch.setenv("ASCENDC_DUMP", value)
    text, written = run(kernel)
    assert bool(text) == on and written == 5
    assert kernel.cache_info().compiles == (1 if on else 2)
    ascendc = kernel.compile(np.zeros(256, np.float32), 8).ascendc
    assert all((name in ascendc) == on for name in ("printf", "DumpTensor", "DumpAccChkPoint"))


@pytest.mark.parametrize("value", ["true", "false"])
def test_the_option_decides_before_the_environment(value, monkeypatch):
    kernel = load(source_of(*TEXT)).kernel
    monkeypatch.setenv("ASCENDC_DUMP", value)
    assert run(kernel.options(dump=True))[0]
    assert run(kernel.options(dump=False))[0] == ""
    assert bool(run(kernel)[0]) == (value == "true")
    assert kernel.cache_info().compiles == 2


def test_assertions_stop_all_the_same():
    kernel = load(source_of("assert n > 8, f'{n} are few'")).kernel.options(dump=False)
    (found,) = diagnostics_of(lambda: kernel[1](np.zeros(256, np.float32), 8))
    assert (found.code, found.message) == ("M206", "assertion failed: 8 are few")


def test_on_the_host():
    with pytest.raises(Exception, match="L301"):
        asc.dump_tensor(None, 1, 8)
