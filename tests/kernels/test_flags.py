# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Flags between pipes: waits issued before their set, flags with an impossible number. Flags that never come, are set twice or left over are
# in twins/flags.py.
import numpy as np
import pytest
from support.kernel_file import load, marked_lines
from support.refusals import diagnostics_of, text_of

FRAME = """import asc


@asc.jit
def kernel(x_address: asc.GlobalAddress, z_address: asc.GlobalAddress, number: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x_address, 64)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z_address, 64)
    x = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 64)
    z = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 256, 64)
"""


def source_of(body: str) -> str:
    return FRAME + "".join(f"    {line.strip()}\n" for line in body.strip().splitlines())


def run(source: str, number: int = 0, blocks: int = 1, **options):
    x, z = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    load(source).kernel.options(**options)[blocks](x, z, number)
    return x, z


@pytest.mark.parametrize("check", [True, False], ids=["check", "no_check"])
def test_a_wait_may_come_before_its_set(check):
    """S goes on; the pipe stands still until the flag is set, with all that was given to it in between."""
    x, z = run(
        source_of("""
        asc.wait_flag(asc.HardEvent.V_MTE3, 1)
        asc.data_copy(z_gm, z, 64)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.adds(z, x, 1.0, 64)
        asc.muls(z, z, 2.0, 64)
        asc.set_flag(asc.HardEvent.V_MTE3, 1)
        asc.data_copy(x, x_gm, 64)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        """),
        check=check,
    )
    np.testing.assert_array_equal(z, (x + 1) * 2)


def test_a_pipe_that_waits_keeps_its_operands():
    """Arguments are read when S issues the instruction, not when it starts."""
    x, z = run(
        source_of("""
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        count = 32 + number
        asc.adds(z, x, 1.0, count)
        count = 64
        asc.data_copy(x, x_gm, 64)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm, z, 32)
        """)
    )
    np.testing.assert_array_equal(z, np.where(np.arange(64) < 32, x + 1, 0))


def test_the_mask_register_is_read_when_the_instruction_is_issued():
    x, z = run(
        source_of("""
        asc.duplicate(z, 0.0, 64)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.set_vector_mask(0, 0xFF, dtype=asc.float32, mode=asc.MaskMode.NORMAL)
        asc.adds(z, x, 1.0, 1, 1, asc.UnaryRepeatParams(1, 1, 8, 8), is_set_mask=False)
        asc.reset_mask()
        asc.data_copy(x, x_gm, 64)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm, z, 64)
        """)
    )
    np.testing.assert_array_equal(z, np.where(np.arange(64) < 8, x + 1, 0))


# name, body, code, what the text must say; the report points at the line marked `here`
FAULTS = [
    (
        "a run-time number beyond the flags",
        """
        asc.set_flag(asc.HardEvent.MTE2_V, number + 8)  # <- here
        """,
        "S102",
        ["8"],
    ),
    (
        "a run-time number below zero",
        """
        asc.wait_flag(asc.HardEvent.MTE2_V, number - 1)  # <- here
        """,
        "S102",
        ["-1"],
    ),
    (
        "a number beyond the flags",
        """
        asc.set_flag(asc.HardEvent.MTE2_V, 8)  # <- here
        """,
        "S102",
        ["8"],
    ),
]


@pytest.mark.parametrize("body, code, words", [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_fault(body, code, words):
    source = source_of(body)
    found = diagnostics_of(lambda: run(source))
    assert found[0].code == code, found
    assert found[0].span.line == marked_lines(source)["here"], found
    text = text_of(found[0])
    assert all(word in text for word in words), text


def test_one_report_for_all_blocks():
    """The same fault in every block is told once."""
    found = diagnostics_of(lambda: run(source_of("asc.set_flag(asc.HardEvent.MTE2_V, 5)"), blocks=60))
    assert len(found) == 1


def test_findings_come_together():
    found = diagnostics_of(
        lambda: run(
            source_of("""
            asc.set_flag(asc.HardEvent.MTE2_V, 5)
            asc.adds(z, x, 1.0, 64)
            """)
        )
    )
    assert sorted(d.code for d in found) == ["M301", "S104"]
