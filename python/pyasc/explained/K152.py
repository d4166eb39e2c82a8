# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pickle

import asc


# %% wrong: no other process can make this function
def make(n):
    @asc.jit
    def kernel(dst: asc.GlobalAddress):
        out = asc.GlobalTensor()
        out.set_global_buffer(dst, 1)
        out.set_value(0, n)

    return kernel


pickle.dumps(make(3))


# %% right: n is a parameter, and the kernel has a name in its module
@asc.jit
def kernel(dst: asc.GlobalAddress, n: int):
    out = asc.GlobalTensor()
    out.set_global_buffer(dst, 1)
    out.set_value(0, n)


assert pickle.loads(pickle.dumps(kernel)) is kernel
