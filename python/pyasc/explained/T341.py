# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
from asc.runtime.config import KernelType


# %% wrong: this type has no flags between cores
@asc.jit(kernel_type=KernelType.AIV_ONLY)
def kernel():
    asc.sync_all()


kernel[2]()


# %% right: a type that has
@asc.jit(kernel_type=KernelType.MIX_AIV_1_0)
def kernel():
    asc.sync_all()


kernel[2]()
