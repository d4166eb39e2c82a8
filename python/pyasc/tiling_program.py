# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tiling rule as a program of the scalar unit, so that it decides without Python: an array of int64 has the facts, another the list."""

import asc
from asc.runtime.jit import MockTensor

from pyasc.tiling import LIST


def compile_rule(rule, known):
    """(compiled kernel, names of the facts). `known` are the parameters of the rule whose values do not depend on the run."""
    code = rule.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    facts = [name for name in names if name not in known]
    places = [(known.get(name), facts.index(name) if name in facts else -1) for name in names]
    count, results = max(len(facts), 1), len(LIST)
    function = asc.jit(rule)

    @asc.jit
    def tiling_rule(facts: asc.GlobalAddress, listed: asc.GlobalAddress):
        facts_gm, list_gm = asc.GlobalTensor(), asc.GlobalTensor()
        facts_gm.set_global_buffer(facts, count)
        list_gm.set_global_buffer(listed, results)
        chosen = function(*[value if place < 0 else facts_gm.get_value(place) for value, place in places])
        for i in asc.static_range(results):
            list_gm.set_value(i, chosen[i])

    address = MockTensor(asc.int64)
    return tiling_rule.options(always_compile=True).compile(address, address), facts
