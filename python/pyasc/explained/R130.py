# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc


# %% wrong: behind unit 9, up to unit 3
@asc.jit
def kernel():
    asc.check_local_memory_ia(asc.CheckLocalMemoryIAParam(0, 9, 3, is_vector_write=True, is_enable=True))


kernel[1]()


# %% right: behind unit 3, up to unit 9
@asc.jit
def kernel():
    asc.check_local_memory_ia(asc.CheckLocalMemoryIAParam(0, 3, 9, is_vector_write=True, is_enable=True))


kernel[1]()
