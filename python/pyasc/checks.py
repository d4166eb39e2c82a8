# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which checks launches make, for a whole program: `set_default`, `force`, and `collect`, which keeps what they find."""

import os
from contextlib import contextmanager

from pyasc import errors

EXPECTED = "True, False, or names of checks"
_LISTS = list, tuple, set, frozenset


def table():
    """name -> (codes, codes that cannot be turned off, what is found)."""
    from pyasc import _core

    return {name: (codes.split(), always.split(), finds) for name, codes, always, finds in _core.checks()}


def _words(value):
    """The names in a value, in a definite order."""
    words = value.split(",") if isinstance(value, str) else sorted(value) if isinstance(value, set | frozenset) else value
    return [word.encode(errors="replace").decode() for word in words]  # without halves of characters


def parse(value, what="check"):
    """A value of the option `check` as (bits of the checks, adversarial). `what` names it in errors."""
    from pyasc import _core

    if isinstance(value, bool):
        return _core.choose_checks(["all" if value else "none"], what)
    if not isinstance(value, (str, *_LISTS)) or not value or not all(isinstance(name, str) for name in value):
        raise errors.error("K141", f"{what}: got {value!r}, expected {EXPECTED}", f"the names are: {', '.join([*table(), 'adversarial'])}")
    return _core.choose_checks(_words(value), what)


# ---------------------------------------------------------------- for a whole program


def from_environment():
    """The mode that PYASC_CHECK asks for; all checks without it."""
    text = os.environ.get("PYASC_CHECK", "").strip()
    switch = {"": True, "1": True, "true": True, "on": True, "0": False, "false": False, "off": False}.get(text.lower())
    return parse(text if switch is None else switch, "environment variable PYASC_CHECK")


def set_default(check):
    """The checks of kernels that have no option `check` of their own, as a value of that option; None: those of PYASC_CHECK, else all."""
    from pyasc import _core

    _core.set_default_check(None if check is None else parse(check, "set_default()"))


def force(check, seed=None, what="force()"):
    """The checks of all launches from now on, whatever their kernels say; None: no longer. Adversarial mode is on where a kernel or this
    asks for it; `seed` is then that of all launches. `what` names `check` in errors."""
    from asc.runtime.options import OPTIONS

    from pyasc import _core

    option = OPTIONS["seed"]
    if seed is not None and not option.accepts(seed):
        raise errors.error("K141", f"force(): seed: got {seed!r}, expected {option.expected}")
    _core.set_forced_check(None if check is None else parse(check, what), None if seed is None else int(seed))


@contextmanager
def collect():
    """Has the findings of all launches of this process put into the list that it gives: a list of diagnostics for each launch with
    findings, whether its CheckError is caught or not."""
    found = []
    errors.collectors.append(found)
    try:
        yield found
    finally:
        errors.collectors[:] = [other for other in errors.collectors if other is not found]
