# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from asc.runtime import config

# %% wrong: the backends are Model and NPU
config.set_platform("GPU")

# %% right: the simulator
config.set_platform(config.Backend.Model)
