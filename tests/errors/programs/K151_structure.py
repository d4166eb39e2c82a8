# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A field that the structure does not have.
import asc

asc.DataCopyParams(block_size=1)
