# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What pyasc does, for those who want to see it: `set_log_level`, or the environment variable LOG_LEVEL."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pyasc import _core, errors, report

if TYPE_CHECKING:
    import logging

LEVELS = {"DEBUG": 10, "INFO": 20, "WARNING": 30, "ERROR": 40}
_logger: logging.Logger | None = None  # None: nobody wants to see anything


def set_log_level(level: str) -> None:
    """How much pyasc tells on stderr, through the logger "pyasc" of Python's logging.

    "DEBUG": the IR and the Ascend C text of every kernel that is compiled or loaded, and what follows
    "INFO": the launches of streams with their simulated time
    "WARNING", "ERROR": nothing but the warnings and errors that there are anyhow

    The environment variable LOG_LEVEL says the same before the program starts."""
    global _logger
    if not isinstance(level, str) or level.upper() not in LEVELS:
        help = f"the levels are: {', '.join(LEVELS)}"
        raise errors.error("K171", f"set_log_level(): got {level!r}, expected the name of a level", help)
    import logging

    number = LEVELS[level.upper()]
    logger = logging.getLogger("pyasc")
    logger.setLevel(number)
    if not logger.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("pyasc: %(message)s"))
        logger.addHandler(handler)
    _logger = logger if number <= LEVELS["INFO"] else None
    _core.set_compile_log(_show_kernel if number <= LEVELS["DEBUG"] else None)


def info(message: str, *values: Any) -> None:
    if _logger is not None:
        _logger.info(message, *values)


def _show_kernel(kernel: _core.CompiledKernel) -> None:
    assert _logger is not None
    _logger.debug("kernel '%s' for %s: IR\n%s\nAscend C\n%s", kernel.name, kernel.target, kernel.ir, kernel.ascendc)


def follow_environment() -> None:
    """Does what LOG_LEVEL says. Other programs know the variable too, with levels of their own, so that one is a warning."""
    level = os.environ.get("LOG_LEVEL", "")
    if level.upper() in LEVELS:
        set_log_level(level)
    elif level:
        help = f"for pyasc the levels are: {', '.join(LEVELS)}"
        report.warn([_core.Diagnostic("K171", f"environment variable LOG_LEVEL: {level!r} is no level of pyasc", help, warning=True)])
