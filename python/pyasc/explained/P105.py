# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: two distributions that install `asc` and `pyasc`
# $ pip install pyasc-anywhere pyasc
# $ python -c "import asc"

# %% right: one of them
# $ pip uninstall pyasc
# $ pip install --force-reinstall pyasc-anywhere
# $ python -c "import asc"
