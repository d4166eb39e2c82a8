# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: another `asc` lies in a folder that Python searches first
# $ ls
# asc/  kernel.py
# $ python kernel.py

# %% right: it has another name
# $ mv asc my_kernels
# $ python kernel.py
