# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# All cores of both kinds are to meet, and there is one kind.
import asc
from asc.runtime.config import KernelType


@asc.jit(kernel_type=KernelType.MIX_AIV_1_0)
def kernel():
    asc.sync_all(is_aiv_only=False)


kernel[2]()
