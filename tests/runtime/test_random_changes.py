# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One thing among many changes, again and again; every launch, here and in fresh processes with the same cache folder, gives what a kernel
# that never saw a cache gives.
import random
import subprocess
import sys

import numpy as np
import pytest
from support.kernel_file import load

SOURCE = """
import asc
import collections, dataclasses, enum, os, types

A = 1
B = [2, 3]
C = {'x': 4, 'y': [5]}
m = types.ModuleType('m')
m.n, m.k = 6, types.SimpleNamespace(n=7)

@dataclasses.dataclass
class Data:
    n: int = 8
    more: tuple = (9, 10)
data = Data()

class Base:
    n = 11
class Derived(Base):
    k = 12
    @property
    def sum(self):
        return self.n + A + B[0]
derived = Derived()

class E(enum.IntEnum):
    P = 13
    Q = 14
chosen = E.P
array = __import__('numpy').arange(4)
os.environ['PYASC_TEST_R'] = '15'

@asc.jit
def inner(x, d=16):
    return x + d + m.k.n

@asc.jit
def inner2(x, d=17):
    return x * 2 + d

@asc.jit
def helper(x, *, k=18):
    return inner(x) + k + B[1]

def make(n):
    @asc.jit
    def kernel(dst: asc.GlobalAddress, s: asc.ConstExpr, v: int):
        out = asc.GlobalTensor()
        out.set_global_buffer(dst, 1)
        text = f'{A}{C["x"]}'
        total = A + B[0] * 3 + C['y'][0] * 5 + m.n * 7 + data.n * 11 + data.more[1] * 13 + derived.n * 17 + derived.sum * 19
        total = total + int(chosen) * 23 + int(array[2]) * 29 + int(os.environ['PYASC_TEST_R']) * 31 + n * 37 + int(text) % 101
        total = total + helper(s[0]) * 41 + getattr(m, 'extra', 1) * 43 + derived.k * 47 + len(__name__) * 0
        out.set_value(0, total + v)
    def change(value):
        nonlocal n
        n = value
    return kernel, change

kernel, change = make(19)
inner_code, inner2_code = inner.fn.__code__, inner2.fn.__code__
"""

CHANGES = """
A = {n}
B[0] = {n}
B[1] = {n}
B.append({n})
C['x'] = {n}
C['y'][0] = {n}
C['z'] = {n}
m.n = {n}
m.k.n = {n}
m.k = types.SimpleNamespace(n={n})
m.extra = {n}
data.n = {n}
data.more = ({n}, {n} + 1)
data = Data({n})
Base.n = {n}
Derived.k = {n}
derived.k = {n}
derived.__dict__.clear()
chosen = E.Q
chosen = E.P
array[2] = {n}
array = array * 2 % 97
os.environ['PYASC_TEST_R'] = '{n}'
change({n})
inner.fn.__code__ = inner2_code
inner.fn.__code__ = inner_code
inner.fn.__defaults__ = ({n},)
helper.fn.__kwdefaults__['k'] = {n}
helper.fn.__kwdefaults__ = dict(k={n})
""".strip().splitlines()


def value(kernel, s, v):
    out = np.zeros(1, np.int64)
    kernel[1](out, s, v)
    return int(out[0])


def walk(seed, steps, check):
    """Calls check(statement, arguments) after each of some random changes."""
    rng = random.Random(seed)
    for _ in range(steps):
        statement = rng.choice(CHANGES).format(n=rng.randrange(1, 6))
        check(statement, rng.choice(([1], [2], (1,), (2, 3))), rng.choice((0, 5)))


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 40))])
def test_no_change_is_overlooked(seed, tmp_path, monkeypatch):
    monkeypatch.setenv("PYASC_CACHE_DIR", str(tmp_path))
    module, fresh = load(SOURCE), load(SOURCE)
    never_cached = fresh.kernel.options(always_compile=True)

    def check(statement, s, v):
        for each in (module, fresh):
            exec(statement, each.__dict__)
        assert value(module.kernel, s, v) == value(never_cached, s, v), statement

    walk(seed, 60, check)
    info = module.kernel.cache_info()
    assert info.memory_hits and info.compiles > 10, info


SCRIPT = """
import random, sys
import numpy as np
{SOURCE}

def value(kernel, s, v):
    out = np.zeros(1, np.int64)
    kernel[1](out, s, v)
    return int(out[0])

if __name__ == "__main__":
    rng = random.Random(int(sys.argv[1]))
    changes = {CHANGES!r}
    never_cached = kernel.options(always_compile=True)
    for _ in range(int(sys.argv[2])):
        statement = rng.choice(changes).format(n=rng.randrange(1, 3))
        exec(statement, globals())
        s, v = rng.choice(([1], [2])), rng.choice((0, 5))
        assert value(kernel, s, v) == value(never_cached, s, v), statement
    print(kernel.cache_info().disk_hits)
"""


@pytest.mark.parametrize("processes", [6, pytest.param(60, marks=pytest.mark.long)])
def test_no_change_is_overlooked_on_disk(processes, tmp_path, monkeypatch):
    monkeypatch.setenv("PYASC_CACHE_DIR", str(tmp_path / "cache"))
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("{SOURCE}", SOURCE).replace("{CHANGES!r}", repr(CHANGES)))
    hits = 0
    for seed in range(processes):
        done = subprocess.run([sys.executable, str(script), str(seed % 4), "20"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        hits += int(done.stdout)
    assert hits > 10
