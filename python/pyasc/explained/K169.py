# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np

import pyasc

matrix = np.ones((4, 6), np.float32)

# %% wrong: the elements of a column do not lie one after the other
pyasc.from_numpy(matrix[:, 0])

# %% right: a copy of the column
assert pyasc.from_numpy(matrix[:, 0].copy()).shape == (4,)
