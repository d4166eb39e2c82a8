# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc


@asc.jit
def fill(x: asc.GlobalAddress, value: float):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, value, 64)
    asc.data_copy(x_gm, tile, 64)


tensor = asc.runtime.jit.MockTensor(asc.float32)

# %% wrong: a stand-in has no data
fill[1](tensor, 2.0)

# %% right: it stands for an array when a kernel is compiled only
assert "Duplicate" in fill.compile(tensor, 2.0).ascendc
