# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from asc.runtime import config

# %% wrong: the simulator has one device
config.set_platform(config.Backend.Model, device_id=1)

# %% right: it has number 0
config.set_platform(config.Backend.Model, device_id=0)
