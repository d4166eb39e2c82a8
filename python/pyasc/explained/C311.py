# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: the file has the kernels add and scale
# pyasc compile --input kernels.py --output add.kernel

# %% right: said which
# pyasc compile --input kernels.py --function add --output add.kernel
