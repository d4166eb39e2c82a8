# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: the file ends in an error before the kernel is there
# table = open("missing.txt").read()   # at the top of vec_add.py

# %% right: what only the script needs is under the main guard
# if __name__ == "__main__": table = open("missing.txt").read()
