# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A class is no kernel.
import asc


@asc.jit
class Kernel:
    pass
