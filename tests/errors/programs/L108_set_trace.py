# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The debugger is opened by the builtin.
import pdb

import asc


@asc.jit
def kernel():
    pdb.set_trace()


kernel[1]()
