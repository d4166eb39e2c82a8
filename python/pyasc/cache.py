# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pyasc cache`: looks into the folder of compiled kernels."""

import time

from pyasc import _core


def _age(seconds):
    for length, unit in [(86400, "d"), (3600, "h"), (60, "min")]:
        if seconds >= length:
            return f"{int(seconds // length)} {unit}"
    return f"{int(max(seconds, 0))} s"


def table(entries):
    """The entries of `_core.cache_entries()`, a line each."""
    now = time.time()
    lines = [f"{'key':<14}{'KiB':>8}{'used':>9}  function"]
    for entry in entries:
        name = entry["function"] or "?"
        unusable = f"  ({entry['unusable']})" if entry["unusable"] else ""
        lines.append(f"{entry['key'][:12]:<14}{entry['bytes'] / 1024:>8.1f}{_age(now - entry['used']):>9}  {name}{unusable}")
    return "\n".join(lines)


def matching(entries, name):
    """The entries of a function, `kernel` or `Class.kernel`, or those whose key begins with `name`."""

    def fits(entry):
        function = entry["function"].partition(" in ")[0]
        return name in (function, function.rpartition(".")[2]) or entry["key"].startswith(name)

    return list(filter(fits, entries))


def explanation(entries):
    """What compiling read for each entry: of the first one everything, of the next ones what differs from the first."""
    lines = []
    for entry in entries:
        parts, first = entry["read"], entries[0]["read"]
        if entry is entries[0]:
            lines.append(f"{entry['key'][:12]} {entry['function']}, compiled from")
            lines += [f"  {name} = {shown}" if shown else f"  {name}" for name, shown in parts.items()]
            continue
        other = [name for name in dict.fromkeys([*parts, *first]) if parts.get(name) != first.get(name)]
        lines.append(f"{entry['key'][:12]} {entry['function']}, differs in")
        lines += [f"  {name} = {parts.get(name, '(not read)')}" for name in other]
        if not other:
            lines.append(f"  {entry['unusable'] or 'something whose text is the same'}")
    return "\n".join(lines)


def usage():
    """Where the folder is and how full."""
    entries, size = _core.cache_usage()
    return f"{_core.cache_folder()} holds {entries} kernels, {size / 1e6:.1f} MB"


def clear():
    """Empties the folder."""
    entries, size = _core.clear_cache()
    return f"{_core.cache_folder()} removed {entries} kernels, {size / 1e6:.1f} MB"
