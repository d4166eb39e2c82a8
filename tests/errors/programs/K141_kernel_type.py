# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A type of kernel is a member of an enumeration, not its name.
import asc


@asc.jit(kernel_type="MIX_AIC_1_2")
def kernel():
    asc.sync_all()
