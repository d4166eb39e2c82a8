# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: nobody has made a TPipe
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    asc.get_tpipe_ptr().init_buffer(buffer, 256)
    twos = buffer.get(asc.float32)
    asc.duplicate(twos, 2.0, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, twos, 64)


kernel[1](x)


# %% right: the kernel makes it
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe = asc.TPipe()
    pipe.init_buffer(buffer, 256)
    twos = buffer.get(asc.float32)
    asc.duplicate(twos, 2.0, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, twos, 64)


kernel[1](x)
assert (x == 2).all()
