# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: 1000 numbers in a.bin, 999 in b.bin
# ./vec_add.kernel --input-a a.bin --input-b b.bin --output c.bin

# %% right: the same number in both
# ./vec_add.kernel --input-a a.bin --input-b b_1000.bin --output c.bin
