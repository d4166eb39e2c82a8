# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Torch tensors that a kernel cannot work on.
import asc
import pytest
from support.refusals import diagnostics_of


@asc.jit
def kernel(x: asc.GlobalAddress):
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)


@pytest.mark.torch
@pytest.mark.parametrize(
    "make", [lambda torch: torch.zeros(64, device="meta"), lambda torch: torch.eye(8).to_sparse()], ids=["device", "layout"]
)
def test_tensor_not_in_host_memory(make):
    tensor = make(pytest.importorskip("torch"))
    assert diagnostics_of(lambda: kernel[1](tensor))[0].code == "K127"
