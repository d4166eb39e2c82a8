# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc


# %% wrong: the scalar unit sets no flag for other cores
@asc.jit
def kernel():
    asc.cross_core_set_flag(0, 0, asc.PipeID.PIPE_S)
    asc.cross_core_wait_flag(0, 0, asc.PipeID.PIPE_S)


kernel[2]()


# %% right: the pipe that stores what the others read
@asc.jit
def kernel():
    asc.cross_core_set_flag(0, 0, asc.PipeID.PIPE_MTE3)
    asc.cross_core_wait_flag(0, 0, asc.PipeID.PIPE_MTE3)


kernel[2]()
