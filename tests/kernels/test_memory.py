# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Memory faults: on-chip bytes that nothing wrote, accesses outside arrays, tensors and memories; and programs without an end.
import numpy as np
import pytest
from support.kernel_file import load, marked_lines
from support.refusals import diagnostics_of, text_of

FRAME = """import asc


@asc.jit
def kernel(x_address: asc.GlobalAddress, z_address: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x_address)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z_address, 64)
    x = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 64)
    z = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 256, 64)
"""


def source_of(body: str) -> str:
    lines = body.strip("\n").splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    return FRAME + "".join(f"    {line[indent:]}\n" for line in lines)


def run(source: str, n: int, blocks: int = 1, **options):
    x, z = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    load(source).kernel.options(**options)[blocks](x, z, n)
    return x, z


# name, run-time n, body, code, what the text must say; the report points at the line marked `here`
FAULTS = [
    ("uninitialised", 0, "asc.adds(z, x, 1.0, 64)  # <- here", "M301", ["x", "0..255"]),
    (
        "uninitialised tail",
        0,
        """
        asc.data_copy(x, x_gm, 56)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.adds(z, x, 1.0, 64)  # <- here
        """,
        "M301",
        ["x", "224..255"],
    ),
    (
        "uninitialised lane of a mask",
        0,
        """
        asc.duplicate(x, 0.0, [0xFFFFFFFFFFFFFFEF, 0], 1, 1, 8)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.adds(z, x, 1.0, 64)  # <- here
        """,
        "M301",
        ["x", "16..19"],
    ),
    (
        "uninitialised block between strides",
        0,
        """
        asc.duplicate(x, 0.0, 32, 1, 2, 8)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.adds(z, x, 1.0, 16)  # <- here
        """,
        "M301",
        ["x", "32..63"],
    ),
    (
        "uninitialised and stored",
        0,
        """
        asc.duplicate(z, 0.0, 32)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.data_copy(z_gm, z, 64)  # <- here
        """,
        "M301",
        ["z", "384..511"],
    ),
    ("uninitialised scalar", 3, "asc.duplicate(z, x.get_value(n), 64)  # <- here", "M301", ["x", "12..15"]),
    (
        "load beyond the array",
        8,
        """
        asc.data_copy(x, x_gm[n], 64)  # <- here
        """,
        "M101",
        ["x_gm", "256 bytes", "32..287"],
    ),
    (
        "load before the array",
        -8,
        """
        asc.data_copy(x, x_gm[n], 64)  # <- here
        """,
        "M101",
        ["x", "-32"],
    ),
    (
        "store beyond the array",
        8,
        """
        asc.duplicate(z, 0.0, 64)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        z_gm.set_global_buffer(z_address + 8 * n)
        asc.data_copy(z_gm, z, 64)  # <- here
        """,
        "M101",
        ["z"],
    ),
    ("scalar beyond the array", 64, "x_gm.set_value(n, 1.0)  # <- here", "M101", ["x"]),
    (
        "beyond a global tensor",
        8,
        """
        z_gm.set_global_buffer(z_address, 40)
        asc.data_copy(x, z_gm[n], 40)  # <- here
        """,
        "R110",
        ["src", "32 elements"],
    ),
    ("beyond a local tensor", 65, "asc.duplicate(z, 0.0, n)  # <- here", "R110", ["dst", "65 elements", "64 elements"]),
    ("repeats beyond a local tensor", 2, "asc.duplicate(z, 0.0, 1, n, 1, 8)  # <- here", "R110", ["dst", "64 elements"]),
    (
        "start of a view beyond the unified buffer",
        196608,
        """
        far = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, n, 8)  # <- here
        asc.duplicate(far, 0.0, 8)
        """,
        "M104",
        ["196608"],
    ),
    (
        "end of a tensor beyond the unified buffer",
        196608 - 32,
        """
        far = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, n, 16)  # <- here
        asc.duplicate(far, 0.0, 8)
        """,
        "M104",
        ["196608"],
    ),
    (
        "no end",
        1,
        """
        while n > 0:  # <- here
            asc.duplicate(z, 0.0, 64)
        """,
        "M204",
        ["max_cycles"],
    ),
    (
        "no end without instructions",
        1,
        """
        i = 0
        while n > 0:  # <- here
            i = 1 - i
        asc.duplicate(z, 0.0, i)
        """,
        "M204",
        ["max_cycles"],
    ),
]


@pytest.mark.parametrize("n, body, code, words", [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_fault(n, body, code, words):
    source = source_of(body)
    found = diagnostics_of(lambda: run(source, n, max_cycles=200_000))
    assert [d.code for d in found] == [code], found
    line, here = found[0].span.line, marked_lines(source)["here"]
    assert line == here or (code == "M204" and line == here + 1), found
    text = text_of(found[0])
    assert all(word in text for word in words), text


@pytest.mark.parametrize("n", [8, -8, 1 << 20, -(1 << 20), (1 << 31) - 1])
def test_out_of_bounds_is_fatal_without_checks_too(n):
    """The checks can be turned off, the memory of the host stays safe."""
    source = source_of("asc.data_copy(x, x_gm[n], 64)")
    assert diagnostics_of(lambda: run(source, n, check=False))[0].code == "M101"


@pytest.mark.parametrize("n", [0, 1, 63])
def test_masked_out_and_skipped_bytes_may_be_uninitialised(n):
    """Only bytes that an instruction reads have to be written."""
    _, z = run(
        source_of("""
        asc.duplicate(x, 2.0, 8)
        asc.duplicate(z, 0.0, 64)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.adds(z, x, 1.0, [0xFF, 0], 1, asc.UnaryRepeatParams(1, 1, 8, 8))
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.data_copy(z_gm, z, 64)
        """),
        n,
    )
    np.testing.assert_array_equal(z, [3.0] * 8 + [0.0] * 56)


def test_every_block_starts_with_fresh_memory():
    """What an earlier block of the same core left behind is not there."""
    source = source_of("""
        if asc.get_block_idx() < n:
            asc.duplicate(x, 2.0, 64)
            asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.adds(z, x, 1.0, 64)  # <- here
        """)
    run(source, n=100, blocks=100)
    found = diagnostics_of(lambda: run(source, n=99, blocks=100))
    assert [(d.code, d.span.line) for d in found] == [("M301", marked_lines(source)["here"])]


def test_a_limit_of_time_can_be_raised():
    """A long loop with an end is no fault."""
    source = source_of("""
        total = 0
        for i in range(n):
            total = total + i % 3
        asc.duplicate(z, 0.0, total % 2)
        """)
    run(source, n=100_000)
    assert diagnostics_of(lambda: run(source, n=100_000, max_cycles=1000))[0].code == "M204"
