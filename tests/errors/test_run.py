# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `pyasc run`: scripts run as Python runs them, and findings decide about the exit status.
import json
import subprocess
import sys

import pytest

RACY = """
import sys
import asc
import numpy as np
from pyasc import errors


@asc.jit(check=False)
def racy(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.adds(tile, tile, 1.0, 64)


def swallow():
    try:
        racy[1](np.zeros(64, np.float32))
    except errors.CheckError:
        print("swallowed")

"""


@pytest.fixture
def run(tmp_path):
    """Runs a script: run(text, its arguments, options=of pyasc run)."""

    def run(text: str, *arguments: str, options=(), python=()):
        (tmp_path / "script.py").write_text(text)
        command = python or [sys.executable, "-m", "pyasc", "run", *options]
        return subprocess.run([*command, "script.py", *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=120)

    return run


def test_a_script_runs_as_by_python(run):
    text = """
import sys, os, pickle, __main__
class C: pass
print(__name__, __file__ == os.path.join(os.getcwd(), "script.py"), sys.argv, sys.path[0] == os.getcwd())
print(__main__.C is C, type(pickle.loads(pickle.dumps(C()))) is C, __doc__, __spec__, "annotations" in globals())
"""
    by_python = run(text, "a", "--json", "-x", python=[sys.executable])
    ours = run(text, "a", "--json", "-x")
    assert ours.returncode == by_python.returncode == 0 and ours.stdout == by_python.stdout and ours.stderr == ""


@pytest.mark.parametrize(
    ("ending", "status", "stderr"),
    [
        ("sys.exit()", 0, ""),
        ("sys.exit(0)", 0, ""),
        ("sys.exit(7)", 7, ""),
        ("sys.exit('bad')", 1, "bad\n"),
        ("sys.exit(True)", 1, ""),
        ("raise SystemExit(None)", 0, ""),
    ],
)
def test_status_of_the_script(run, ending, status, stderr):
    done = run(f"import sys\n{ending}\n")
    assert (done.returncode, done.stderr) == (status, stderr)
    after_findings = run(f"{RACY}\nswallow()\n{ending}\n")
    assert after_findings.returncode == (status or 1)


@pytest.mark.parametrize(
    "text", ["def f():\n    return 1 // 0\n\nf()\n", "x = 1 +\n", "try:\n    1 / 0\nexcept OSError: pass\n", "import nothing_like_this\n"]
)
def test_tracebacks_are_those_of_the_script(run, text):
    by_python, ours = run(text, python=[sys.executable]), run(text)
    assert ours.returncode == by_python.returncode == 1
    assert ours.stderr == by_python.stderr and "pyasc" not in ours.stderr


def test_uncaught_findings(run):
    done = run(f"{RACY}\nracy[1](np.zeros(64, np.float32))\nprint('not reached')\n")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.count("error[S301]") == 1 and 'script.py", line' in done.stderr and "run.py" not in done.stderr
    assert run(f"{RACY}\nracy[1](np.zeros(64, np.float32))\n", python=[sys.executable]).returncode == 0


def test_swallowed_findings(run):
    done = run(f"{RACY}\nfor _ in range(3): swallow()\n")
    assert done.returncode == 1 and done.stdout == "swallowed\n" * 3
    assert done.stderr.count("error[S301]") == 1 and done.stderr.endswith("pyasc run: 3 launches had findings, and the script went on\n")


def test_findings_of_threads(run):
    done = run(f"{RACY}\nimport threading, time\nthreading.Thread(target=lambda: (time.sleep(0.2), swallow())).start()\n")
    assert done.returncode == 1 and done.stdout == "swallowed\n" and "1 launch had findings" in done.stderr


def test_findings_of_exit_handlers(run):
    done = run(f"{RACY}\nimport atexit\natexit.register(swallow)\nprint('over')\n")
    assert done.returncode == 1 and done.stdout == "over\nswallowed\n" and "1 launch had findings" in done.stderr


def test_chosen_checks(run):
    assert run(f"{RACY}\nswallow()\n", options=["--check", "flags,rules"]).returncode == 0
    assert run(f"{RACY}\nswallow()\n", options=["--check", "adversarial", "--seed", "3"]).returncode == 1
    wrong = run(RACY, options=["--check", "rases"])
    assert (
        wrong.returncode == 2
        and "--check: there is no check 'rases'" in wrong.stderr
        and "did you mean 'races'?" in wrong.stderr
        and "Traceback" not in wrong.stderr
    )


def test_json(run, tmp_path):
    done = run(f"{RACY}\nswallow()\nswallow()\n", options=["--json", "out.json"])
    (entry,) = json.loads((tmp_path / "out.json").read_text())
    assert done.returncode == 1 and entry["code"] == "S301"
    assert run("pass", options=["--json", "out.json"]).returncode == 0
    assert json.loads((tmp_path / "out.json").read_text()) == []
    nowhere = run("print('ran')", options=["--json", "no/where.json"])
    assert (nowhere.returncode, nowhere.stdout) == (2, "") and "no/where.json cannot be written: No such file" in nowhere.stderr


def test_files_that_cannot_be_read(tmp_path):
    for path in (tmp_path / "missing.py", tmp_path):
        done = subprocess.run([sys.executable, "-m", "pyasc", "run", path], capture_output=True, text=True, timeout=120)
        assert done.returncode == 2 and "cannot be read" in done.stderr and "Traceback" not in done.stderr


STREAMS = RACY.replace("def swallow", "import pyasc\nstream, x = pyasc.Stream(), pyasc.Tensor(64, pyasc.float32)\n\ndef swallow")


def test_findings_in_streams(run, tmp_path):
    """Streams are waited for, and what they find counts, whether somebody asks for it or not; it is shown once."""
    for ending in ("", "stream.synchronize()"):
        done = run(f"{STREAMS}\nracy[1, stream](x)\n{ending}\n", options=["--json", "out.json"])
        (entry,) = json.loads((tmp_path / "out.json").read_text())
        assert done.returncode == 1 and entry["code"] == "S301" and "was launched here" in entry["notes"][-1]["text"]
        assert done.stderr.count("error[S301]") == 1 and "the script went on" not in done.stderr
    done = run(f"{STREAMS}\nracy[1, stream](x)\ntry: stream.synchronize()\nexcept errors.CheckError: print('swallowed')\n")
    assert done.returncode == 1 and done.stdout == "swallowed\n" and "1 launch had findings, and the script went on" in done.stderr


def test_an_exception_stops_streams(run):
    endless = STREAMS.replace("    tile =", "    i = 0\n    while i >= 0:\n        i = 1 - i\n    tile =")
    done = run(f"{endless}\nracy[1, stream](x)\nraise ValueError('mine')\n")
    assert done.returncode == 1 and "ValueError: mine" in done.stderr and "M204" not in done.stderr
    done = run(f"{endless}\nracy[1, stream](x)\nraise KeyboardInterrupt\n")
    assert done.returncode == 130 and "M204" not in done.stderr
