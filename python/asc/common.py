# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What upstream keeps for its own packages. Here its names are in pyasc; this module lets `import asc.common` work."""
