# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

from asc.runtime import cache

# %% wrong: not one of the units
os.environ["PYASC_CACHE_LIMIT"] = "200 megabytes"
cache.limit()

# %% right: 200 MiB
os.environ["PYASC_CACHE_LIMIT"] = "200M"
assert cache.limit() == 200 * 2**20
