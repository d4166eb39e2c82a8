# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The smallest type for a meeting of both kinds of core has both.
import asc
from asc.runtime.config import KernelType


@asc.jit(kernel_type=KernelType.AIV_ONLY)
def kernel():
    asc.sync_all(is_aiv_only=False)


kernel[2]()
