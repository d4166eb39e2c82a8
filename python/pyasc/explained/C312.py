# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: TILE is an asc.ConstExpr without a default
# pyasc compile --input vec_add.py --output vec_add.kernel

# %% right: its value is given
# pyasc compile --input vec_add.py --output vec_add.kernel --const TILE=1024
