# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host side: errors and reports, the compile cache, the command `pyasc`. Kernels are written with `import asc`."""

import os as _os
from sys import modules as _modules

__version__ = "0.1.0"

from pyasc import errors, report


def _check_packages():
    """Refuses to work beside a package `asc` that is not ours: both would be half of what the user asked for."""
    asc = _modules.get("asc")
    if asc is None:
        from importlib.machinery import PathFinder

        asc = PathFinder.find_spec("asc")
        file = getattr(asc, "origin", None)
    else:
        file = getattr(asc, "__file__", None)
    ours = _os.path.join(_os.path.dirname(_os.path.dirname(__file__)), "asc")
    if file is None or not _os.path.samefile(_os.path.dirname(file), ours):
        raise errors.error(
            "P104",
            f"the package asc that Python finds, {file or 'none'}, is not the one of this pyasc, {ours}",
            "uninstall the other one (upstream's distribution is called pyasc) or change the order of sys.path",
        )


report.install()
_check_packages()
