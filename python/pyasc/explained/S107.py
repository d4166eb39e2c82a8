# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc


# %% wrong: all sets come before the first wait
@asc.jit
def kernel():
    for i in range(20):
        asc.cross_core_set_flag(0, 0, asc.PipeID.PIPE_MTE3)
    for i in range(20):
        asc.cross_core_wait_flag(0, 0, asc.PipeID.PIPE_MTE3)


kernel[2]()


# %% right: a wait follows each set
@asc.jit
def kernel():
    for i in range(20):
        asc.cross_core_set_flag(0, 0, asc.PipeID.PIPE_MTE3)
        asc.cross_core_wait_flag(0, 0, asc.PipeID.PIPE_MTE3)


kernel[2]()
