# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pyasc

# %% wrong: not the name of a level
pyasc.set_log_level("LOUD")

# %% right: one of the four
pyasc.set_log_level("WARNING")
