# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compile cache on disk: PYASC_CACHE_DIR, or .pyasc/cache in PYASC_HOME or the home folder."""

from pyasc import _core

folder = _core.cache_folder
usage = _core.cache_usage
clear = _core.clear_cache
limit = _core.cache_limit
set_limit = _core.set_cache_limit

__all__ = ["clear", "folder", "limit", "set_limit", "usage"]
