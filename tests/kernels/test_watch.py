# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_local_memory_ia: bytes of the unified buffer that kinds of access keep away from.
import itertools

import numpy as np
import pytest
from pyasc.errors import CheckError, CompileError, PyascWarning
from support.kernel_file import load

# One access of each kind, to the whole tile at bytes 256 to 511.
ACCESSES = {
    "is_scalar_read": "other.set_value(0, tile.get_value(9))",
    "is_scalar_write": "tile.set_value(9, 1)",
    "is_vector_read": "asc.adds(other, tile, 1, 64)",
    "is_vector_write": "asc.duplicate(tile, 1, 64)",
    "is_mte_read": "asc.data_copy(x_gm, tile, 64)",
    "is_mte_write": "asc.data_copy(tile, x_gm, 64)",
}
KERNEL = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 256, 64)
    other = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 1024, 64)
    asc.duplicate(tile, 0, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.check_local_memory_ia(asc.CheckLocalMemoryIAParam({window}))
    {access}
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
"""


def run(window: str, access: str, **options):
    load(KERNEL.format(window=window, access=access)).kernel.options(**options)[1](np.zeros(64, np.int32))


@pytest.mark.parametrize("watched, done", [*itertools.product(ACCESSES, ACCESSES)])
def test_kinds(watched, done):
    window = f"1, 8, 9, {watched}=True, is_enable=True"  # bytes 288 to 319: elements 8 to 15
    if watched == done:
        with pytest.raises(CheckError, match=r"(?s)M401.*UB bytes 288"):
            run(window, ACCESSES[done])
    else:
        run(window, ACCESSES[done])


@pytest.mark.parametrize("window, hit", [("7, 8", True), ("6, 7", False), ("15, 16", False), ("14, 15", True), ("0, 4000", True)])
def test_the_first_unit_is_outside_and_the_last_one_inside(window, hit):
    given = f"0, {window}, is_vector_write=True, is_enable=True"
    if hit:
        with pytest.raises(CheckError, match="M401"):
            run(given, ACCESSES["is_vector_write"])
    else:
        run(given, ACCESSES["is_vector_write"])


@pytest.mark.parametrize("window", ["8, 8", "9, 3"])
def test_an_empty_window(window):
    with pytest.warns(PyascWarning, match=r"R130.*expected an end_addr greater than start_addr"):
        run(f"0, {window}, is_vector_write=True, is_enable=True", ACCESSES["is_vector_write"])
    run(f"0, {window}, is_vector_write=True, is_enable=False", ACCESSES["is_vector_write"])


def test_windows_that_reach_beyond_the_unified_buffer():
    with pytest.raises(CheckError, match=r"(?s)M401.*watches UB bytes 32\.\.196607"):
        run("0, 0, 65535, is_vector_write=True, is_enable=True", ACCESSES["is_vector_write"])
    with pytest.raises(CompileError, match=r"R105.*check_params.end_addr is 65536, expected 0 to 65535"):
        run("0, 0, 65536, is_vector_write=True, is_enable=True", ACCESSES["is_vector_write"])


def test_a_window_that_is_not_enabled_and_checks_that_are_off():
    run("0, 0, 4000, is_vector_write=True", ACCESSES["is_vector_write"])
    run("0, 0, 4000, is_vector_write=True, is_enable=True", ACCESSES["is_vector_write"], check=False)


def test_windows_are_apart_and_end():
    on = "asc.check_local_memory_ia(asc.CheckLocalMemoryIAParam({}, 7, 15, is_vector_write=True, is_enable=True))"
    off = "asc.check_local_memory_ia(asc.CheckLocalMemoryIAParam({}, 7, 15, is_vector_write=True, is_enable=False))"
    write = "\n    " + ACCESSES["is_vector_write"]
    run("3", on.format(0) + "\n    " + off.format(0) + write)
    with pytest.raises(CheckError, match="M401"):
        run("3", on.format(0) + "\n    " + on.format(1) + "\n    " + off.format(0) + write)


def test_there_are_four_windows():
    with pytest.raises(CompileError, match="R105"):
        run("4, 0, 1, is_enable=True", "pass")
