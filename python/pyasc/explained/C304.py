# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: an option makes an output of 4 TB
# ./fill.kernel --n 1000000000000 --value 1.5 --output x.bin

# %% right: a size that this machine can hold
# ./fill.kernel --n 1000000 --value 1.5 --output x.bin
