# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pyasc

kernel = pyasc.Kernel("relu_kernel")

# %% wrong: relu_kernel works on floats
kernel.set_input(0, pyasc.Tensor(100, pyasc.int32))

# %% right: a float type
kernel.set_input(0, pyasc.Tensor(100, pyasc.float16))
