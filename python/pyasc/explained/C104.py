# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: the disassembler writes no such line
#     1  s_add.int32         r7 = r4 + r1

# %% right: its own form
#     1  s_add.int32         r7, r4, r1
