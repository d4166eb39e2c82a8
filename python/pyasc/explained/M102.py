# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: a program writes to an array that its caller protects
# A kernel that is launched from Python is stopped before the launch, by K130.
# Here the program was run by other means, which found out at the instruction.

# %% right: the array is writable
# Give memory that may be written for every array that the program writes.
