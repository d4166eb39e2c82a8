# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pyasc

# %% wrong: the name of a kernel that was never registered
pyasc.Kernel("vector_add_kernel")

# %% right: a kernel of pyasc
assert pyasc.Kernel("vec_add_kernel").name == "vec_add_kernel"
