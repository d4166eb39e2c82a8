# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: 10,000 elements, and a kernel that only adds whole tiles of 8192
# ./add.kernel --input-x x.bin --input-y y.bin --output z.bin --cores 1

# %% right: a kernel that works on the tail, as examples/03_tails.py does
# ./tails.kernel --input-x x.bin --input-y y.bin --output z.bin
