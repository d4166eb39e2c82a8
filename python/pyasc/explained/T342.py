# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
from asc.runtime.config import KernelType


# %% wrong: mode 1 is between the two vector cores of an AI Core
@asc.jit(kernel_type=KernelType.MIX_AIV_1_0)
def kernel():
    asc.cross_core_set_flag(0, 1, asc.PipeID.PIPE_MTE3)
    asc.cross_core_wait_flag(0, 1, asc.PipeID.PIPE_MTE3)


kernel[2]()


# %% right: a type with two of them
@asc.jit(kernel_type=KernelType.MIX_AIC_1_2)
def kernel():
    if asc.ascend_is_aiv():
        asc.cross_core_set_flag(0, 1, asc.PipeID.PIPE_MTE3)
        asc.cross_core_wait_flag(0, 1, asc.PipeID.PIPE_MTE3)


kernel[2]()
