# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# %% wrong: pyasc does what it never should
# $ python kernel.py
# pyasc.errors.InternalError: internal error[T000]: ...

# %% right: a report with the kernel helps to mend it
# $ pyasc --version
# Report the version, the kernel and the whole message. A kernel of a few lines that shows the fault is best.
