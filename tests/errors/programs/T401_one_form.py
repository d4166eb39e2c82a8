# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The event of a flag has no default.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    asc.set_flag(event_id=0)


kernel[1](np.zeros(64, np.float32))
