# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every launch ends: at a deadlock, at the limit of simulated time, at a trap, and at Ctrl-C, after which the process goes on; with one
# block or several, that wait for each other or do not, and in every mode.
import signal
import subprocess
import sys
import time

import asc
import numpy as np
import pytest
from pyasc.errors import CheckError
from support.refusals import diagnostics_of

MODES = [True, False, "adversarial"]
in_every_mode = pytest.mark.parametrize("check", MODES, ids=str)
both_builds = pytest.mark.parametrize("auto_sync", [True, False], ids=["auto_sync", "strict"])

MTE2_V, V_MTE3 = asc.HardEvent.MTE2_V, asc.HardEvent.V_MTE3


@asc.jit
def words_of(address):
    words = asc.GlobalTensor()
    words.set_global_buffer(address, 1024)
    return words


@asc.jit
def filled(value: asc.ConstExpr):
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, value, 64)
    return tile


# ---------------------------------------------------------------- endless: the limit of simulated time, and Ctrl-C


@asc.jit
def computes(words):
    n = 1
    while n > 0:
        filled(0)


@asc.jit
def counts(words):
    n = 1
    while n > 0:
        n = n % 7 + 1


@asc.jit
def polls(words):
    """What nobody writes."""
    while words.get_value(0) == 0:
        pass


@asc.jit
def polls_while_others_wait(words):
    if asc.get_block_idx() == 0:
        polls(words)
    asc.sync_all()


@asc.jit
def computes_while_others_wait_for_a_word(words):
    if asc.get_block_idx() == 0:
        computes(words)
    asc.ib_wait(words, filled(0), 0, 0)


@asc.jit
def polls_after_a_meeting(words):
    asc.sync_all()
    polls(words)


ENDLESS = [computes, counts, polls, polls_while_others_wait, computes_while_others_wait_for_a_word, polls_after_a_meeting]
every_endless = pytest.mark.parametrize("body", ENDLESS, ids=lambda body: body.__name__)


@asc.jit
def kernel(address: asc.GlobalAddress, body: asc.ConstExpr):
    body(words_of(address))


@in_every_mode
@pytest.mark.parametrize("blocks", [1, 3])
@every_endless
def test_limit(body, blocks, check):
    found = diagnostics_of(lambda: kernel.options(check=check, max_cycles=20_000)[blocks](np.zeros(1024, np.int32), body))
    assert found[-1].code == "M204", found


SCRIPT = """
import sys
sys.path[:0] = {path}
import numpy as np
import test_interrupt as tests

endless = tests.kernel.options(max_cycles=1 << 60, check={check})
print("start", flush=True)
try:
    endless[{blocks}](np.zeros(1024, np.int32), tests.{body})
except KeyboardInterrupt:
    print("stopped", flush=True)
print("on", flush=True)
"""


def interrupted(folder, **facts):
    path = folder / "kernel.py"
    path.write_text(SCRIPT.format(path=sys.path, **facts))
    process = subprocess.Popen([sys.executable, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "start\n", process.stderr.read()
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=20)
    finally:
        process.kill()
    assert (output, process.returncode) == ("stopped\non\n", 0), errors


@pytest.mark.parametrize(("check", "blocks"), [(True, 1), (True, 5), (False, 1), (False, 5), ("adversarial", 5)])
def test_ctrl_c(tmp_path, check, blocks):
    interrupted(tmp_path, check=repr(check), blocks=blocks, body="computes")


@pytest.mark.parametrize(
    ("check", "body"),
    [("adversarial", "polls_while_others_wait"), (False, "polls_while_others_wait"), (True, "polls_after_a_meeting")],
)
def test_ctrl_c_while_blocks_wait(tmp_path, check, body):
    interrupted(tmp_path, check=repr(check), blocks=3, body=body)


# ---------------------------------------------------------------- deadlocks


@asc.jit
def a_flag_that_nobody_sets(words):
    asc.wait_flag(MTE2_V, 0)
    filled(0)


@asc.jit
def s_waits(words):
    asc.wait_flag(asc.HardEvent.MTE2_S, 0)


@asc.jit
def more_than_a_pipe_holds(words):
    asc.wait_flag(MTE2_V, 0)
    for _ in range(3000):
        filled(0)


@asc.jit
def one_does_not_come(words):
    if asc.get_block_idx() > 0:
        asc.sync_all()


@asc.jit
def each_waits_for_the_next(words):
    me, blocks = asc.get_block_idx(), asc.get_block_num()
    scratch = filled(0)
    asc.ib_wait(words, scratch, (me + 1) % blocks, 0)
    asc.ib_set(words, scratch, me, 0)


@asc.jit
def a_block_deadlocks_while_others_wait(words):
    if asc.get_block_idx() == 0:
        asc.wait_flag(MTE2_V, 0)
        filled(0)
    asc.sync_all()


DEADLOCKS = [
    (a_flag_that_nobody_sets, "S201"),
    (s_waits, "S201"),
    (more_than_a_pipe_holds, "S201"),
    (one_does_not_come, "S202"),
    (each_waits_for_the_next, "S202"),
    (a_block_deadlocks_while_others_wait, "S201"),
]


@both_builds
@in_every_mode
@pytest.mark.parametrize("body, code", DEADLOCKS, ids=[body.__name__ for body, _ in DEADLOCKS])
def test_deadlock(body, code, check, auto_sync):
    found = diagnostics_of(lambda: kernel.options(check=check, auto_sync=auto_sync)[3](np.zeros(1024, np.int32), body))
    assert found[-1].code == code, found


# ---------------------------------------------------------------- traps


@asc.jit
def a_trap_while_others_wait(words):
    if asc.get_block_idx() == 1:
        asc.trap()
    asc.sync_all()


@asc.jit
def a_trap_while_others_poll(words):
    if asc.get_block_idx() == 1:
        asc.trap()
    polls(words)
    asc.sync_all()


@asc.jit
def a_trap_behind_a_meeting(words):
    asc.sync_all()
    if asc.get_block_idx() == 1:
        asc.trap()
    asc.sync_all()


@asc.jit
def a_trap_in_front_of_blocked_instructions(words):
    asc.wait_flag(MTE2_V, 0)
    filled(0)
    asc.trap()


@in_every_mode
@pytest.mark.parametrize(
    "body",
    [a_trap_while_others_wait, a_trap_while_others_poll, a_trap_behind_a_meeting, a_trap_in_front_of_blocked_instructions],
    ids=lambda body: body.__name__,
)
def test_trap(body, check):
    found = diagnostics_of(lambda: kernel.options(check=check)[3](np.zeros(1024, np.int32), body))
    assert [d.code for d in found] == ["M207"], found


# ---------------------------------------------------------------- polling loops that end


@asc.jit
def s_answers_s(words):
    """Each block tells the other one, and polls until it has been told. Nothing orders them for the checkers."""
    me = asc.get_block_idx()
    words.set_value(64 * me, 1)
    while words.get_value(64 * (1 - me)) == 0:
        pass


@asc.jit
def s_polls_what_mte3_stores(words):
    me, tile = asc.get_block_idx(), filled(1)
    asc.set_flag(V_MTE3, 0)
    asc.wait_flag(V_MTE3, 0)
    asc.data_copy(words[64 * me], tile, 64)
    while words.get_value(64 * (1 - me)) == 0:
        pass


@asc.jit
def mte2_polls_what_mte3_stores(words):
    me, tile = asc.get_block_idx(), filled(1)
    asc.set_flag(V_MTE3, 0)
    asc.wait_flag(V_MTE3, 0)
    asc.data_copy(words[64 * me], tile, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    seen = 0
    while seen == 0:
        asc.data_copy(tile, words[64 * (1 - me)], 64)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        seen = tile.get_value(0)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)


@both_builds
@in_every_mode
@pytest.mark.parametrize("body", [s_answers_s, s_polls_what_mte3_stores, mte2_polls_what_mte3_stores], ids=lambda body: body.__name__)
def test_polling(body, check, auto_sync):
    for seed in range(10 if check == "adversarial" else 1):
        words = np.zeros(1024, np.int32)
        try:
            kernel.options(check=check, auto_sync=auto_sync, seed=seed, max_cycles=1 << 22)[2](words, body)
        except CheckError as error:
            assert {d.code for d in error.diagnostics} == {"S303"}, error
        assert words[0] == words[64] == 1
