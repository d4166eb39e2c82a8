# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc


# %% wrong: block 0 does not come
@asc.jit
def kernel():
    if asc.get_block_idx() > 0:
        asc.sync_all()


kernel[2]()


# %% right: all blocks come
@asc.jit
def kernel():
    asc.sync_all()


kernel[2]()
