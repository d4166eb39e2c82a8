# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc

import pyasc


# %% wrong: nobody would know what to pass for scale
@pyasc.kernel("scaled", inputs=("x",), outputs=("z",))
@asc.jit
def scaled(x: asc.GlobalAddress, z: asc.GlobalAddress, total: int, scale: float):
    """z = scale * x"""


# %% right: scale is an attribute
@pyasc.kernel("scaled", inputs=("x",), outputs=("z",), attributes={"scale": 1.0})
@asc.jit
def scaled(x: asc.GlobalAddress, z: asc.GlobalAddress, total: int, scale: float):
    """z = scale * x"""
