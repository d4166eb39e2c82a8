# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which checks launches make, for a whole program: `set_default`, `force`, and `collect`, which keeps what they find."""

import os
from contextlib import contextmanager

from pyasc import errors

ADVERSARIAL = "adversarial"
EXPECTED = "True, False, or names of checks"
_LISTS = list, tuple, set, frozenset


def table():
    """name -> (codes, codes that cannot be turned off, what is found)."""
    from pyasc import _core

    return {name: (codes.split(), always.split(), finds) for name, codes, always, finds in _core.checks()}


def _words(value):
    """The names in a value, in a definite order."""
    if isinstance(value, str):
        return [word.strip() for word in value.split(",")]
    return sorted(value) if isinstance(value, set | frozenset) else list(value)


def parse(value, what="check"):
    """A value of the option `check` as (bits of the checks, adversarial). `what` names it in errors."""
    names = list(table())
    everything = (1 << len(names)) - 1
    if isinstance(value, bool):
        return (everything if value else 0), False
    if not isinstance(value, (str, *_LISTS)) or not value or not all(isinstance(name, str) for name in value):
        raise errors.error("K141", f"{what}: got {value!r}, expected {EXPECTED}", f"the names are: {', '.join([*names, ADVERSARIAL])}")
    chosen, left_out, adversarial = 0, 0, False
    words = _words(value)
    for word in words:
        name = word.removeprefix("-")
        if word == ADVERSARIAL:
            adversarial = True
        elif word == "all":
            chosen = everything
        elif word == "none" and len(words) == 1:
            return 0, False
        elif name not in names:
            raise _unknown(name, names, what)
        elif word == name:
            chosen |= 1 << names.index(name)
        elif table()[name][0]:
            left_out |= 1 << names.index(name)
        else:
            help = "what it finds stops the launch, because nothing sensible can follow"
            raise errors.error("K141", f"{what}: the check '{name}' cannot be turned off", help)
    return (chosen or everything) & ~left_out, adversarial


def _unknown(name, names, what):
    from difflib import get_close_matches

    everything = [*names, ADVERSARIAL, "all", "none"]
    near = get_close_matches(name, everything, n=1)
    help = f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(everything)}"
    return errors.error("K141", f"{what}: there is no check '{name}'", help)


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


def force(check, seed=None):
    """The checks of all launches from now on, whatever their kernels say; None: no longer. Adversarial mode is on where a kernel or this
    asks for it; `seed` is then that of all launches."""
    from asc.runtime.options import OPTIONS

    from pyasc import _core

    option = OPTIONS["seed"]
    if seed is not None and not option.accepts(seed):
        raise errors.error("K141", f"force(): seed: got {seed!r}, expected {option.expected}")
    _core.set_forced_check(None if check is None else parse(check, "force()"), None if seed is None else int(seed))


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
