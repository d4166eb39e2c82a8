# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: there is no folder results
# ./vec_add.kernel --input-a a.bin --input-b b.bin --output results/c.bin

# %% right: it is made first
# mkdir -p results && ./vec_add.kernel --input-a a.bin --input-b b.bin --output results/c.bin
