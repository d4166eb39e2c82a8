# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The barrier waits for V, and V for the set_flag behind it.
import asc


@asc.jit
def kernel():
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)


kernel[1]()
