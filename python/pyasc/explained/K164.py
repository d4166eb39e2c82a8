# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np

import pyasc

x, z = np.ones(100, np.float32), np.empty(100, np.float32)
stream = pyasc.Stream()
kernel = pyasc.Kernel("relu_kernel")
kernel.set_input(0, x)
kernel.set_output(0, z)

# %% wrong: four blocks of 16 elements are less than 100
kernel.set_tiling([4, 1, 1, 16])
stream.launch(kernel)

# %% right: four blocks of 32 are enough
kernel.set_tiling([4, 1, 1, 32])
stream.launch(kernel)
stream.synchronize()
assert (z == 1).all()
