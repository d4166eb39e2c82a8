# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Upstream's names of what concerns compiling."""
