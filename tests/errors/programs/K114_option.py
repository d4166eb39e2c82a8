# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# opt_level=3 in a launch would be the option and the argument.
import asc


@asc.jit
def kernel(x: asc.GlobalAddress, opt_level: int):
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
