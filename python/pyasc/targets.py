# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pyasc targets`: the chips that the simulator knows."""

from pyasc import _core, errors

DEFAULT = "Ascend910B1"


def resolve(name):
    """The chip that a name means, without regard to case: Ascend910B1, 910b1; ascend910 and 910b are the default. None: there is none."""
    short = name.lower().removeprefix("ascend")
    if short in ("910", "910b"):
        return DEFAULT
    return next((chip for chip in _core.chip_facts() if chip.lower() == "ascend" + short), None)


def nearest(name):
    """The chip that a wrong name may stand for, or None."""
    chips = {chip.lower().removeprefix("ascend"): chip for chip in _core.chip_facts()}
    return chips.get(errors.nearest(name.lower().removeprefix("ascend"), chips, cutoff=0.5))


def _shown(fact, value):
    if fact.endswith("_bytes"):
        return f"{value // 2**20} MiB" if value >= 2**20 else f"{value / 1024:g} KiB"
    return f"{value:g}{' GB/s' if fact.endswith('_gbs') else ''}"


def describe(name):
    """All facts of a chip, a line each."""
    titles = {"vector_cores": "vector cores", "mhz": "clock, MHz", "L2_gbs": "L2 rate", "HBM_gbs": "HBM rate"}
    facts = _core.chip_facts()[name]
    return "\n".join([name, *(f"  {titles.get(fact, fact.removesuffix('_bytes')):<14} {_shown(fact, facts[fact])}" for fact in facts)])


def table():
    """The chips, a line each."""
    columns = {"cores": "vector_cores", "MHz": "mhz", "UB": "UB_bytes", "L1": "L1_bytes", "L2": "L2_bytes", "HBM": "HBM_gbs"}
    lines = [f"{'chip':<16}" + "".join(f"{title:>12}" for title in columns)]
    for name, facts in _core.chip_facts().items():
        lines.append(f"{name:<16}" + "".join(f"{_shown(fact, facts[fact]):>12}" for fact in columns.values()))
    return "\n".join(lines)
