# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What blocks wait for each other with in global memory: the words are int32. What the calls do is tested in tests/kernels.
import numpy as np
import pytest
from support.dtypes import NUMPY
from support.kernel_file import load
from support.refusals import diagnostics_of, text_of

KERNEL = """import asc


@asc.jit
def kernel(gm_in: asc.GlobalAddress):
    gm_workspace = asc.GlobalTensor()
    gm_workspace.set_global_buffer(gm_in, 64)
    ub_workspace = asc.LocalTensor(asc.{local}, asc.TPosition.VECCALC, 0, 256)
    asc.{call}
"""
CALLS = {
    "sync_all": "sync_all(gm_workspace, ub_workspace)",
    "ib_set": "ib_set(gm_workspace, ub_workspace, 0, 0)",
    "ib_wait": "ib_wait(gm_workspace, ub_workspace, 0, 0)",
    "wait_pre_block": "wait_pre_block(gm_workspace, ub_workspace)",
    "notify_next_block": "notify_next_block(gm_workspace, ub_workspace)",
}


@pytest.mark.parametrize("name", CALLS)
def test_other_dtypes_are_refused(name):
    for dtype in sorted(set(NUMPY) - {"int32"}):
        for shared, local, argument in ((dtype, "int32", "gm_workspace"), ("int32", dtype, "ub_workspace")):
            kernel = load(KERNEL.format(local=local, call=CALLS[name])).kernel
            found = diagnostics_of(lambda: kernel.compile(np.zeros(64, NUMPY[shared])))  # noqa: B023
            text = text_of(found[0])
            assert found[0].code == "R101" and found[0].span.line == 9, text
            assert all(word in text for word in (f"{name}()", argument, dtype.rstrip("_"), "int32")), text
    load(KERNEL.format(local="int32", call=CALLS[name])).kernel.compile(np.zeros(64, np.int32))
