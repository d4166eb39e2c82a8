# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np

import pyasc

stream = pyasc.Stream()
kernel = pyasc.Kernel("relu_kernel")
kernel.set_input(0, np.ones((10, 10), np.float32))

# %% wrong: the output has another shape than the input
kernel.set_output(0, np.empty(100, np.float32))
stream.launch(kernel)

# %% right: the shape of the input
kernel.set_output(0, np.empty((10, 10), np.float32))
stream.launch(kernel)
stream.synchronize()
