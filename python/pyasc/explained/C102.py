# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: a program that an older version made
# The table of APIs has changed since, and with it the meaning of the numbers in the program.

# %% right: made by the version that runs it
# Compile the kernel again.
