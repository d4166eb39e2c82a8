# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Marked ranges are for kernels.
import asc

for i in asc.range(3):
    print(i)
