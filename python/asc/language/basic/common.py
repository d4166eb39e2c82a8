# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is no instruction and belongs to no class."""

from pyasc._core import get_hccl_context, get_sys_workspace, pop_stack_buffer, set_hccl_context, set_sys_workspace

__all__ = ["get_hccl_context", "get_sys_workspace", "pop_stack_buffer", "set_hccl_context", "set_sys_workspace"]
