# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: a listing copies float32 from byte 2 of an array
# In a kernel an address counts whole elements of its array, so a kernel does not come to this.
# Instructions that were written by other means can.

# %% right: a multiple of the 4 bytes of an element
# Let the address of the copy be a multiple of the element size.
