# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kernels are ordinary functions.
import asc


@asc.jit
async def kernel(x: asc.GlobalAddress, n: int):
    async for i in range(n):
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)


kernel.compile(asc.float32, 3)
