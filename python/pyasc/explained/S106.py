# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc


# %% wrong: set, and not waited for
@asc.jit
def kernel():
    asc.cross_core_set_flag(0, 0, asc.PipeID.PIPE_MTE3)


kernel[2]()


# %% right: every set has its wait
@asc.jit
def kernel():
    asc.cross_core_set_flag(0, 0, asc.PipeID.PIPE_MTE3)
    asc.cross_core_wait_flag(0, 0, asc.PipeID.PIPE_MTE3)


kernel[2]()
