# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np

import pyasc

kernel = pyasc.Kernel("relu_kernel")

# %% wrong: a list is no array
kernel.set_input(0, [1.0, 2.0])

# %% right: an array
kernel.set_input(0, np.array([1.0, 2.0], np.float32))
