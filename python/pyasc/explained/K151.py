# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc

# %% wrong: no field has this name
params = asc.DataCopyParams(block_count=4, block_size=1)

# %% right: block_len, in blocks of 32 bytes
params = asc.DataCopyParams(block_count=4, block_len=1)
assert params.block_len == 1
