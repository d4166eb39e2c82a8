# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: the function makes a second TPipe
@asc.jit
def clear(x_gm):
    pipe = asc.TPipe()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, 256)
    twos = buffer.get(asc.float32)
    asc.duplicate(twos, 2.0, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, twos, 64)


@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    clear(x_gm)


kernel[1](x)


# %% right: it uses the one there is
@asc.jit
def clear(x_gm):
    pipe = asc.get_tpipe_ptr()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, 256)
    twos = buffer.get(asc.float32)
    asc.duplicate(twos, 2.0, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, twos, 64)


@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    clear(x_gm)


kernel[1](x)
assert (x == 2).all()
