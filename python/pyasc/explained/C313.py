# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: --check is an option of every .kernel file
# def scale(x: asc.GlobalAddress, check: int): ...

# %% right: another name
# def scale(x: asc.GlobalAddress, verify: int): ...
