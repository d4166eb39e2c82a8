# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# More threads than a number of the simulator holds.
import asc


@asc.jit(threads=10**30)
def kernel():
    asc.sync_all()
