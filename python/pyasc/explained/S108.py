# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc


# %% wrong: flag 3 has two meanings for the vector cores
@asc.jit
def kernel():
    if asc.ascend_is_aic():
        asc.cross_core_set_flag(3, 2, asc.PipeID.PIPE_FIX)
    else:
        asc.cross_core_set_flag(3, 1, asc.PipeID.PIPE_MTE3)
        asc.cross_core_wait_flag(3, 1, asc.PipeID.PIPE_MTE3)
        asc.cross_core_wait_flag(3, 2, asc.PipeID.PIPE_MTE3)


kernel[2]()


# %% right: each has its own
@asc.jit
def kernel():
    if asc.ascend_is_aic():
        asc.cross_core_set_flag(3, 2, asc.PipeID.PIPE_FIX)
    else:
        asc.cross_core_set_flag(4, 1, asc.PipeID.PIPE_MTE3)
        asc.cross_core_wait_flag(4, 1, asc.PipeID.PIPE_MTE3)
        asc.cross_core_wait_flag(3, 2, asc.PipeID.PIPE_MTE3)


kernel[2]()
