# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc


# %% wrong: flags are counted from 0
@asc.jit
def kernel():
    for i in range(1, 17):
        asc.cross_core_set_flag(i, 0, asc.PipeID.PIPE_MTE3)
        asc.cross_core_wait_flag(i, 0, asc.PipeID.PIPE_MTE3)


kernel[2]()


# %% right: one flag serves every round
@asc.jit
def kernel():
    for i in range(1, 17):
        asc.cross_core_set_flag(0, 0, asc.PipeID.PIPE_MTE3)
        asc.cross_core_wait_flag(0, 0, asc.PipeID.PIPE_MTE3)


kernel[2]()
