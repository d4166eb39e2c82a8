# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Instructions exist in kernels only.
import asc

asc.pipe_barrier(asc.PipeID.PIPE_ALL)
