# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pyasc

kernel = pyasc.Kernel("rmsnorm_kernel")

# %% wrong: the attribute has another name
kernel.set_attr("epsilon", 1e-6)

# %% right: as the kernel calls it
kernel.set_attr("eps", 1e-6)
