# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compile cache on disk: PYASC_CACHE_DIR, or .pyasc/cache in PYASC_HOME or the home folder."""

from pyasc import _core, errors

folder = _core.cache_folder
usage = _core.cache_usage
clear = _core.clear_cache
limit = _core.cache_limit


def set_limit(bytes):
    """How large the cache may get, a number of bytes; None: as PYASC_CACHE_LIMIT says, else 1 GiB."""
    valid = bytes is None or (isinstance(bytes, int) and not isinstance(bytes, bool) and 0 <= bytes < 2**63)
    if not valid:
        help = "write a number of bytes, such as 200 << 20; sizes such as '200M' are for the variable PYASC_CACHE_LIMIT"
        raise errors.error("K141", f"set_limit(): got {bytes!r}, expected a number of bytes from 0 to 2**63 - 1, or None", help)
    _core.set_cache_limit(bytes)


__all__ = ["clear", "folder", "limit", "set_limit", "usage"]
