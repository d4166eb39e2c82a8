# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: float64, as NumPy makes it without being asked
# numpy.save("a.npy", numpy.ones(1000))

# %% right: the type that the kernel was compiled for
# numpy.save("a.npy", numpy.ones(1000, numpy.float32))
