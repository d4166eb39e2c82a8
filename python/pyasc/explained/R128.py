# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc


# %% wrong: a number of Ascend C's own
@asc.jit(time_stamps=True)
def kernel():
    asc.print_time_stamp(7)


kernel[1]()


# %% right: a number of your own
@asc.jit(time_stamps=True)
def kernel():
    asc.print_time_stamp(65536 + 7)


kernel[1]()
