# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc


# %% wrong: the text for the NPU is asked for, which has no debugger
@asc.jit
def kernel(n: int):
    if n > 3:
        breakpoint()


print(kernel.compile(4).ascendc)


# %% right: the breakpoint is there for the simulator only
@asc.jit
def kernel(n: int, stop: asc.ConstExpr = False):
    if stop:
        breakpoint()


print(kernel.compile(4).ascendc)
