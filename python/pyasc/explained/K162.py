# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np

import pyasc

x, z = np.ones(100, np.float32), np.empty(100, np.float32)
stream = pyasc.Stream()
kernel = pyasc.Kernel("relu_kernel")

# %% wrong: the output is counted with the inputs
kernel.set_input(0, x)
kernel.set_output(1, z)

# %% right: outputs are counted from 0
kernel.set_input(0, x)
kernel.set_output(0, z)
stream.launch(kernel)
stream.synchronize()
assert (z == 1).all()
