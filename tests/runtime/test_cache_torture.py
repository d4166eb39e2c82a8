# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One cache folder under everything that can happen to it: many processes, kills, `clear`, a full disk, no rights, a folder that goes away,
# entries cut at every length and with flipped bits. Results are always right, and nothing crashes.
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import textwrap
import time

import asc
import numpy as np
import pytest
from asc.runtime import cache
from pyasc.errors import PyascWarning

HEAD = """
import os, random, resource, shutil, signal, sys, time, warnings
import asc
import numpy as np
from asc.runtime import cache
warnings.simplefilter(os.environ.get("WARNINGS", "ignore"))

@asc.jit
def kernel(dst: asc.GlobalAddress, n: asc.ConstExpr):
    out = asc.GlobalTensor()
    out.set_global_buffer(dst, 1)
    out.set_value(0, n)

def launch(n):
    out = np.zeros(1, np.int32)
    kernel[1](out, n)
    assert out[0] == n, (out[0], n)
"""


def start(folder, body, *arguments, environment=None, **options):
    script = folder / "script.py"  # the same for all processes, so that their keys are the same
    if not script.exists():
        script.write_text(HEAD + textwrap.dedent(body))
    return subprocess.Popen(
        [sys.executable, str(script), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYASC_CACHE_DIR": str(folder / "cache"), **(environment or {})},
        **options,
    )


def finish(process):
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    return output


ROUNDS = """
rng = random.Random(int(sys.argv[1]))
cache.set_limit(int(sys.argv[3]))
for _ in range(int(sys.argv[2])):
    kernel = asc.jit(kernel.fn)  # nothing in memory
    for _ in range(8):
        launch(rng.randrange(24))
    if rng.random() < 0.05:
        cache.clear()
print("right")
"""


@pytest.mark.parametrize(("processes", "rounds"), [(6, 12), pytest.param(16, 50, marks=pytest.mark.long)])
def test_many_processes_kills_and_clear(processes, rounds, tmp_path):
    """Every process is started again when it is killed; in the end each has run all its rounds once without being killed."""
    rng = random.Random(processes)
    limit = 60_000  # some ten entries: eviction goes on all the time
    running = {start(tmp_path, ROUNDS, seed, rounds, limit): seed for seed in range(processes)}
    kills = 0
    while kills < 3 * processes:
        time.sleep(rng.uniform(0.01, 0.1))
        process = rng.choice(list(running))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        running[start(tmp_path, ROUNDS, running.pop(process), rounds, limit)] = kills
        kills += 1
    assert [finish(process) for process in running] == ["right\n"] * processes
    before = {name for name in os.listdir(tmp_path / "cache") if name.endswith(".entry")}
    strict = start(tmp_path, ROUNDS, 0, 1, limit, environment={"WARNINGS": "error"})  # what is there is whole
    assert finish(strict) == "right\n"
    assert all(stat.S_ISREG(os.stat(tmp_path / "cache" / name).st_mode) for name in before if (tmp_path / "cache" / name).exists())


def test_a_disk_that_is_full(tmp_path):
    """Files end after 500 bytes, less than an entry has: told once, compiled each time, nothing half written stays."""
    body = """
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for n in range(5):
            launch(n)
    assert [w.message.diagnostic.code for w in caught] == ["C202"], caught
    assert os.listdir(cache.folder()) == []
    print("right")
    """
    assert finish(start(tmp_path, body)) == "right\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system")
def test_a_file_system_without_space(tmp_path):
    (tmp_path / "cache").mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", tmp_path / "cache"], capture_output=True).returncode:
        pytest.skip("mount is not permitted")
    try:
        body = """
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for n in range(20):
                launch(n)
        assert {w.message.diagnostic.code for w in caught} == {"C202"}, caught
        print(len(os.listdir(cache.folder())))
        """
        kept = int(finish(start(tmp_path, body)))
        assert 1 <= kept < 20
        assert int(finish(start(tmp_path, body))) == kept  # they are found, the others compiled
    finally:
        subprocess.run(["umount", tmp_path / "cache"], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="drops the rights of root")
def test_a_folder_without_rights(tmp_path):
    """Entries that may be read are used; new ones are compiled each time, which is told once."""
    body = """
    kernel.options(always_compile=True)[1](np.zeros(1, np.int32), 0)  # what is imported late may be out of reach then
    if len(sys.argv) > 1:
        os.setgroups([]), os.setgid(65534), os.setuid(65534)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for n in range(3 if len(sys.argv) > 1 else 2):
            launch(n)
    print(kernel.cache_info().disk_hits, *(w.message.diagnostic.code for w in caught))
    """
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(folder.stat().st_mode | 0o055)
    assert finish(start(tmp_path, body)) == "0\n"
    assert finish(start(tmp_path, body, "nobody")) == "2 C202\n"
    (tmp_path / "cache").chmod(0o700)
    assert finish(start(tmp_path, body, "nobody")).startswith("0 C20")


def test_a_folder_that_goes_away(tmp_path):
    body = """
    for n in range(60):
        if n % 7 == 3:
            shutil.rmtree(cache.folder())
        launch(n % 20)
        kernel = asc.jit(kernel.fn)
    print("right")
    """
    assert finish(start(tmp_path, body, environment={"WARNINGS": "error"})) == "right\n"


@asc.jit
def small(dst: asc.GlobalAddress, n: asc.ConstExpr):
    out = asc.GlobalTensor()
    out.set_global_buffer(dst, 1)
    out.set_value(0, n)


def launch_small(n):
    """The kernel as a process finds it that has nothing in memory, and whether it came from the disk."""
    kernel, out = asc.jit(small.fn), np.zeros(1, np.int32)
    kernel[1](out, n)
    assert out[0] == n
    return kernel.cache_info().disk_hits


@pytest.fixture
def entry(tmp_path, monkeypatch):
    monkeypatch.setenv("PYASC_CACHE_DIR", str(tmp_path))
    assert launch_small(5) == 0
    (entry,) = tmp_path.glob("*.entry")
    assert launch_small(5) == 1
    return entry


def lengths(size, long):
    return range(size) if long else sorted({*range(0, 64), *range(64, size, size // 60), size - 1})


@pytest.mark.parametrize("long", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.filterwarnings("ignore::pyasc.errors.PyascWarning")
def test_cut_at_every_length(entry, long):
    good = entry.read_bytes()
    for length in lengths(len(good), long):
        entry.write_bytes(good[:length])
        assert launch_small(5) == 0, length
        assert launch_small(5) == 1, length


@pytest.mark.parametrize("flips", [100, pytest.param(5000, marks=pytest.mark.long)])
def test_flipped_bits(entry, flips):
    """Each is noticed, and said the first time."""
    good, rng = entry.read_bytes(), random.Random(flips)
    with pytest.warns(PyascWarning, match="C201"):
        for _ in range(flips):
            damaged = bytearray(good)
            for _ in range(rng.choice((1, 1, 2, 50))):
                damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
            entry.write_bytes(damaged)
            assert launch_small(5) == (damaged == good)


def test_a_limit_that_is_small(entry):
    """The cap holds after every 64th entry; the newest stay."""
    size = entry.stat().st_size
    try:
        cache.set_limit(30 * size)
        for n in range(1, 140):
            launch_small(n)
        assert cache.usage()[1] <= (30 + 64) * size
        assert launch_small(139) == 1
    finally:
        cache.set_limit(None)
    shutil.rmtree(entry.parent)
    assert cache.usage() == (0, 0)


def test_the_limit_of_the_environment(tmp_path):
    """PYASC_CACHE_LIMIT, in bytes or with a unit."""
    for text, expected in (("1000", 1000), ("20k", 20 << 10), ("3M", 3 << 20), ("2G", 2 << 30), ("0", 0), ("", 1 << 30)):
        code = "from asc.runtime import cache; print(cache.limit())"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYASC_CACHE_LIMIT": text})
        assert done.stdout == f"{expected}\n", (text, done.stderr)
