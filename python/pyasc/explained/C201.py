# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: a file of the cache was cut short
# $ truncate -s 100 ~/.pyasc/cache/*.entry
# $ python kernel.py

# %% right: an empty cache, which the next run fills
# $ pyasc cache clear
# $ python kernel.py
