# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that `pyasc.Kernel(name)` finds without anybody writing them, in `asc`, for float32, float16, bfloat16 and any length."""
