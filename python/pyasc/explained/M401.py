# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.int32)


# %% wrong: 32 bytes from byte 128 on are watched for writes by the vector unit
@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
    asc.check_local_memory_ia(asc.CheckLocalMemoryIAParam(0, 3, 4, is_vector_write=True, is_enable=True))
    asc.duplicate(tile, 1, 64)


kernel[1](x)


# %% right: the vector instruction ends in front of the window
@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
    asc.check_local_memory_ia(asc.CheckLocalMemoryIAParam(0, 3, 4, is_vector_write=True, is_enable=True))
    asc.duplicate(tile, 1, 32)


kernel[1](x)
