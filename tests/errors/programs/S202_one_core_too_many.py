# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A chip has 48 vector cores.
import asc


@asc.jit
def kernel():
    asc.sync_all()


kernel[49]()
