# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: changed by hand: the program has registers r0 to r7
#     1  s_add.int32         r9, r4, r1

# %% right: as the compiler wrote it
#     1  s_add.int32         r7, r4, r1
