# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: the file of a program was cut short
# A copy that stopped half way, a full disk, a transfer as text.

# %% right: the whole file
# Copy it again, or compile the kernel again.
