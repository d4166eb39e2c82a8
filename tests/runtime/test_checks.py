# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The option `check`: each check by its name, alone and left out, for a kernel, a launch and a program.
import os
import subprocess
import sys
import threading

import asc
import numpy as np
import pytest
from pyasc import checks, errors


@asc.jit
def bounds(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 128), 1.0, 128)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    tile.set_value(64 + n, 2.0)


@asc.jit
def rules(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile[n + 3], 1.0, 8)


@asc.jit
def uninitialised(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.adds(tile, tile, 1.0, 64)


@asc.jit
def races(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.adds(tile, tile, 1.0, 64)


@asc.jit
def core_races(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, tile, 64)


@asc.jit
def flags(x: asc.GlobalAddress, n: int):
    asc.set_flag(asc.HardEvent.MTE3_V, 0)


@asc.jit
def queues(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    tile = queue.alloc_tensor(asc.float32)
    asc.duplicate(tile, 1.0, 64)


@asc.jit
def overflow(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    if (n + 2_147_483_647) * 2 == 1:
        x_gm.set_value(0, 1.0)


@asc.jit
def data_cache(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    if asc.get_block_idx() == 0:
        x_gm.set_value(0, 1.0)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.data_copy(tile, x_gm, 64)


@asc.jit
def watch(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.check_local_memory_ia(asc.CheckLocalMemoryIAParam(0, 0, 1, is_vector_write=True, is_enable=True))
    asc.duplicate(tile, 1.0, 64)


@asc.jit
def deadlock(x: asc.GlobalAddress, n: int):
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)


@asc.jit
def capacity(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, (n + 1) * 1024 * 1024)


CHOSEN = {
    "bounds": (bounds, "M105"),
    "rules": (rules, "R104"),
    "uninitialised": (uninitialised, "M301"),
    "races": (races, "S301"),
    "core_races": (core_races, "S303"),
    "flags": (flags, "S104"),
    "queues": (queues, "Q107"),
    "overflow": (overflow, "M201"),
    "data_cache": (data_cache, "S402"),
    "watch": (watch, "M401"),
}
ALWAYS = {"deadlock": (deadlock, "S201"), "capacity": (capacity, "Q110")}


def codes_of(kernel, cores: int = 2) -> set[str]:
    """What a launch finds."""
    x = np.zeros(64, np.float32)
    try:
        kernel[cores](x, 0)
    except errors.CheckError as error:
        return {finding.code for finding in error.findings}
    return set()


def refused(check) -> str:
    with pytest.raises(errors.LaunchValueError) as caught:
        asc.jit(bounds.fn, check=check)
    assert caught.value.code == "K141"
    return str(caught.value)


@pytest.fixture(autouse=True)
def as_before():
    yield
    checks.set_default(None)
    checks.force(None)


def test_every_check_has_its_kernel():
    assert [*CHOSEN, *ALWAYS] == list(checks.table())


@pytest.mark.parametrize("name", CHOSEN)
def test_a_check_alone_and_all_others(name):
    kernel, code = CHOSEN[name]
    assert code in checks.table()[name][0] or code[0] in checks.table()[name][0]
    others = {other for other in checks.table() if other != name}
    assert codes_of(kernel.options(check=name)) == {code}
    assert codes_of(kernel.options(check=others)) == set()
    assert codes_of(kernel.options(check=f"-{name}")) == set()
    assert codes_of(kernel.options(check=False)) == set()
    assert codes_of(kernel) == codes_of(kernel.options(check=True)) == {code}


@pytest.mark.parametrize("name", ALWAYS)
def test_what_cannot_be_turned_off(name):
    kernel, code = ALWAYS[name]
    for check in (True, False, name, "races"):
        assert codes_of(kernel.options(check=check), 1) == {code}
    assert f"the check '{name}' cannot be turned off" in refused(f"-{name}")


def test_memory_is_guarded_without_checks():
    @asc.jit(check=False)
    def kernel(x: asc.GlobalAddress, n: int):
        x_gm = asc.GlobalTensor()
        x_gm.set_global_buffer(x, 64)
        x_gm.set_value(64 + n, 1.0)

    assert codes_of(kernel, 1) == {"M101"}


def test_forms_of_the_option():
    every = (1 << len(checks.table())) - 1
    bit = {name: 1 << i for i, name in enumerate(checks.table())}
    two = bit["races"] | bit["flags"]
    for value in (
        "races,flags",
        " flags , races ",
        ["races", "flags"],
        ("flags", "races"),
        {"races", "flags"},
        frozenset(["flags", "races"]),
    ):
        assert checks.parse(value) == (two, False)
    assert checks.parse("adversarial") == checks.parse(["adversarial"]) == checks.parse("all,adversarial") == (every, True)
    assert checks.parse({"races", "adversarial"}) == (bit["races"], True)
    assert checks.parse(["-overflow", "-races"]) == (every & ~bit["overflow"] & ~bit["races"], False)
    assert checks.parse({"races", "flags", "-flags"}) == (bit["races"], False)
    assert checks.parse("none") == checks.parse(False) == (0, False)
    assert checks.parse("all") == checks.parse(True) == (every, False)


def test_wrong_values():
    assert "there is no check 'rases'" in refused({"rases"}) and "did you mean 'races'?" in refused("rases")
    assert "did you mean 'uninitialised'?" in refused("-uninitialized")
    assert "there are: bounds, rules, " in refused("xyz")
    for nothing in ("", [], set(), "races,,flags"):
        assert "error[K141]: option 'check'" in refused(nothing)
    assert "got 1, expected True, False, or names" in refused(1)
    assert "got ['races', 3], expected" in refused(["races", 3])
    assert "the names are: bounds, " in refused({"races": True})
    assert "there is no check 'none'" in refused("none,races")


def test_who_decides(monkeypatch):
    own = uninitialised.options(check=True)
    assert codes_of(uninitialised) == {"M301"}
    checks.set_default("races")
    assert codes_of(uninitialised) == set() and codes_of(races) == {"S301"}
    assert codes_of(own) == {"M301"} and codes_of(uninitialised.options(check="uninitialised")) == {"M301"}
    assert codes_of(own.options(check=None)) == set()
    checks.force("uninitialised")
    assert codes_of(races.options(check=True)) == set() and codes_of(uninitialised.options(check=False)) == {"M301"}
    checks.force(None)
    assert codes_of(uninitialised) == set()
    monkeypatch.setenv("PYASC_CHECK", "flags")
    checks.set_default(None)
    assert codes_of(uninitialised) == set() and codes_of(flags) == {"S104"} and codes_of(own) == {"M301"}
    monkeypatch.setenv("PYASC_CHECK", "0")
    checks.set_default(None)
    assert codes_of(flags) == set()
    monkeypatch.setenv("PYASC_CHECK", "raecs")
    checks.set_default(None)
    with pytest.raises(errors.LaunchValueError, match="environment variable PYASC_CHECK: there is no check 'raecs'"):
        codes_of(flags)
    assert codes_of(own) == {"M301"}
    for seed in (-1, 1 << 32, True, 1.0):
        with pytest.raises(errors.LaunchValueError, match="seed"):
            checks.force("all", seed)


def test_the_variable_is_that_of_the_process():
    program = "import asc, numpy\nfrom runtime import test_checks\nprint(test_checks.codes_of(test_checks.flags, 1))"
    folder = os.path.dirname(os.path.dirname(__file__))
    environment = {**os.environ, "PYASC_CHECK": "races", "PYTHONPATH": os.pathsep.join([folder, *sys.path])}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=120)
    assert done.stdout == "set()\n", done.stderr


def test_a_forced_seed_makes_adversarial_runs():
    def result(kernel) -> bytes:
        x = np.ones(64, np.float32)
        try:
            kernel[1](x, 0)
        except errors.CheckError:
            pass
        return x.tobytes()

    @asc.jit
    def racy(x: asc.GlobalAddress, n: int):
        x_gm = asc.GlobalTensor()
        x_gm.set_global_buffer(x, 64)
        tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
        asc.data_copy(tile, x_gm, 64)
        asc.adds(tile, tile, 1.0, 64)
        asc.data_copy(x_gm, tile, 64)

    by_option = [result(racy.options(check="adversarial", seed=seed)) for seed in range(12)]
    assert len(set(by_option)) > 1
    by_force = []
    for seed in range(12):
        checks.force("adversarial", seed)
        by_force.append(result(racy.options(check=False)))
    assert by_force == by_option


def test_checks_do_not_compile_again():
    @asc.jit
    def kernel(x: asc.GlobalAddress, n: int):
        x_gm = asc.GlobalTensor()
        x_gm.set_global_buffer(x, 64)
        tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
        asc.data_copy(tile, x_gm, 64)
        asc.adds(tile, tile, 1.0, 64)

    found = [codes_of(kernel.options(check=check), 1) for check in (True, "flags", False, "races", "adversarial", "-races")]
    assert found == [{"S301"}, set(), set(), {"S301"}, {"S301"}, set()]
    info = kernel.cache_info()
    assert (info.compiles, info.memory_hits) == (1, 5)


def test_collected_findings():
    with checks.collect() as launches:
        codes_of(races)
        codes_of(rules.options(check=False))
        with checks.collect() as inner:
            thread = threading.Thread(target=codes_of, args=(flags,))
            thread.start()
            thread.join()
    codes_of(overflow)
    assert [[finding.code for finding in launch] for launch in launches] == [["S301"], ["S104"]]
    assert len(inner) == 1 and inner[0] is launches[1]


def test_what_follows_from_a_broken_rule_is_left_out():
    """The call reaches behind its tensor, where another pipe writes and nothing has been written."""

    @asc.jit
    def kernel(x: asc.GlobalAddress, n: int):
        x_gm = asc.GlobalTensor()
        x_gm.set_global_buffer(x, 64)
        first = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 32)
        second = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 128, 32)
        asc.data_copy(second, x_gm, 8)
        asc.duplicate(first, 1.0, 32)
        asc.adds(first, first, 1.0, 64 + n)

    assert codes_of(kernel, 1) == {"R110"}
    assert codes_of(kernel.options(check="-rules"), 1) == {"S301", "M301"}


def test_one_statement_is_one_finding():
    @asc.jit
    def kernel(x: asc.GlobalAddress, n: int):
        x_gm = asc.GlobalTensor()
        x_gm.set_global_buffer(x, 64)
        if asc.ceildiv(7, n) == 1:
            x_gm.set_value(0, 1.0)

    with pytest.raises(errors.CheckError) as caught:
        kernel[1](np.zeros(64, np.float32), 0)
    assert [finding.code for finding in caught.value.findings] == ["M202"]


@pytest.mark.parametrize("dtype", [int, asc.int64])
def test_a_range_whose_step_is_zero(dtype):
    @asc.jit
    def kernel(x: asc.GlobalAddress, n: dtype):
        x_gm = asc.GlobalTensor()
        x_gm.set_global_buffer(x, 64)
        total = 0
        for i in range(0, 10, n):
            total += i + 1
        x_gm.set_value(0, total)

    x = np.full(64, -1, np.int32)
    with pytest.raises(errors.CheckError) as caught:
        kernel[1](x, 0)
    (finding,) = caught.value.findings
    assert finding.code == "M202" and "of a range" not in finding.message and "in a range it is the step" in finding.help
    kernel.options(check=False)[1](x, 0)
    assert x[0] == 0
    for step in (1, 3, 11):
        kernel[1](x, step)
        assert x[0] == sum(i + 1 for i in range(0, 10, step))
    kernel[1](x, -3)
    assert x[0] == 0
