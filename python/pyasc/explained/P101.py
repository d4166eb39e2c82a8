# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from asc.runtime import config

# %% wrong: there is no NPU here
config.set_platform(config.Backend.NPU)

# %% right: the simulator runs the kernel on any machine
config.set_platform(config.Backend.Model)
