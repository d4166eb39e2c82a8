# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: the file was cut short by a full disk
# scp other:vec_add.kernel .   # 3,000,000 of 3,262,512 bytes

# %% right: copied as a whole
# scp other:vec_add.kernel . && ./vec_add.kernel --info
