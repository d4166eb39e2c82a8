# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: there is no such target
# pyasc compile --input vec_add.py --target cpu

# %% right: the simulator
# pyasc compile --input vec_add.py --target sim
