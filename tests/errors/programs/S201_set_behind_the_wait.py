# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# S never comes to the set_flag.
import asc


@asc.jit
def kernel():
    asc.wait_flag(asc.HardEvent.V_S, 0)
    asc.set_flag(asc.HardEvent.V_S, 0)


kernel[1]()
