# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from asc.runtime import config

# %% wrong: no chip has this name
config.set_platform(config.Backend.Model, "Ascend1234")

# %% right: one of the list
config.set_platform(config.Backend.Model, "Ascend910B1")
