# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: b has no file
# ./vec_add.kernel --input-a a.bin --output c.bin

# %% right: an option for every array
# ./vec_add.kernel --input-a a.bin --input-b b.bin --output c.bin
