# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a script that fails prints, in colour on a terminal only; the JSON form of errors.
import json
import os
import pickle
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pyasc import errors, report
from pyasc._core import Diagnostic

SCRIPT = """\
import asc
import numpy as np


@asc.jit
def fill(tile, n):
    asc.duplicate(tile, 1.0, n, 5)


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    fill(tile, n)


def main():
    kernel[1](np.zeros(64, np.float32), 3)


main()
"""
PLAIN = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "TERM")} | {"TERM": "xterm"}


def script(folder: Path, text: str = SCRIPT) -> str:
    path = folder / "script.py"
    path.write_text(text)
    return str(path)


def errors_of(path: str, **environment) -> str:
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=60, env=PLAIN | environment)
    return done.stderr


def on_a_terminal(path: str, **environment) -> str:
    """What the script writes when its stderr is a terminal."""
    reader, writer = pty.openpty()
    process = subprocess.Popen([sys.executable, path], stdout=writer, stderr=writer, env=PLAIN | environment)
    os.close(writer)
    text = b""
    while True:
        try:
            piece = os.read(reader, 1 << 16)
        except OSError:  # how Linux says that the other side is closed
            break
        if not piece:
            break
        text += piece
    os.close(reader)
    process.wait(60)
    return text.decode().replace("\r\n", "\n")


def without_color(text: str) -> str:
    return re.sub(r"\033\[[\d;]*m", "", text)


def test_uncaught_error(tmp_path):
    """The user's lines and the report; none of ours."""
    path = script(tmp_path)
    shown = errors_of(path)
    head, _, rest = shown.partition("pyasc.errors.CodegenError: error[T401]: duplicate(): no form fits the arguments\n")
    assert re.findall(r'File "(.*)", line (\d+)', head) == [(path, "20"), (path, "17")]
    assert f"{path}:7:" in rest and f"{path}:13:" in rest and "\033" not in shown


def test_host_side_error_has_no_frames_of_ours(tmp_path):
    path = script(tmp_path, SCRIPT.replace("kernel[1](", "kernel("))
    shown = errors_of(path)
    assert "K101" in shown and set(re.findall(r'File "(.*)", line', shown)) == {path}


def test_error_with_a_cause(tmp_path):
    """The frames of the user's code that Python ran while compiling are shown, and nothing when there are none."""
    one = script(tmp_path, SCRIPT.replace("    fill(tile, n)", "    n = 1 / 0"))
    assert "L201" in errors_of(one) and "direct cause" not in errors_of(one)
    other = "class Size:\n    def __init__(self):\n        raise KeyError('size')\n\n\n" + SCRIPT.replace("    fill(tile, n)", "    Size()")
    shown = errors_of(script(tmp_path, other))
    assert "L201" in shown and "raise KeyError('size')" in shown and "direct cause" in shown


def test_other_errors_are_as_they_were(tmp_path):
    shown = errors_of(script(tmp_path, "import asc\n1 / 0\n"))
    assert shown.startswith("Traceback") and shown.endswith("ZeroDivisionError: division by zero\n")


def test_hook_of_the_user_stays(tmp_path):
    text = "import sys\nsys.excepthook = lambda *error: print('mine', error[0].__name__, file=sys.stderr)\nimport asc\n1 / 0\n"
    assert errors_of(script(tmp_path, text)) == "mine ZeroDivisionError\n"


def test_colour_on_a_terminal(tmp_path):
    path = script(tmp_path)
    shown = on_a_terminal(path)
    assert "\033[1;31merror[T401]\033[0m" in shown and without_color(shown) == errors_of(path)


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}], ids=str)
def test_no_colour(tmp_path, environment):
    assert "\033" not in on_a_terminal(script(tmp_path), **environment)


def test_forced_colour(tmp_path):
    path = script(tmp_path)
    shown = errors_of(path, FORCE_COLOR="1")
    assert "\033[" in shown and without_color(shown) == errors_of(path, NO_COLOR="", FORCE_COLOR="")


WARNING = SCRIPT.replace("asc.duplicate(tile, 1.0, n, 5)", "asc.duplicate(tile, 1.0, n / 2 * 2)")


def test_warning(tmp_path):
    """The report alone: Python's own line would say the same place again."""
    path = script(tmp_path, WARNING)
    shown = errors_of(path)
    assert re.match(r"warning\[T202\]: .*\n  --> .*script.py:7:\d+\n7 \|", shown), shown
    assert "PyascWarning" not in shown and "\033[1;33mwarning[T202]" in on_a_terminal(path)


def test_warning_as_error(tmp_path):
    done = subprocess.run([sys.executable, "-W", "error", script(tmp_path, WARNING)], capture_output=True, text=True, env=PLAIN)
    assert done.returncode == 1 and "pyasc.errors.PyascWarning: warning[T202]" in done.stderr


def test_colour_is_not_in_the_text_of_an_error():
    error = errors.error("K101", "message", "change it")
    assert str(error) == "error[K101]: message\nhelp: change it" and "\033[" in error.text(color=True)


# ---------------------------------------------------------------- JSON


def fields(title: str) -> list[str]:
    """The fields of a table in docs/messages.md."""
    page = (Path(__file__).parents[2] / "docs" / "messages.md").read_text()
    table = page.split(f"### {title}\n")[1].split("\n#")[0]
    return re.findall(r"^\| `(\w+)` \|", table, re.M)


def check_span(span) -> None:
    assert span is None or list(span) == fields("A place")
    assert span is None or (1 <= span["line"] <= span["end_line"] and span["column"] >= 0)


def check_diagnostic(entry: dict) -> None:
    assert list(entry) == fields("A diagnostic")
    assert entry["severity"] in ("error", "warning") and re.fullmatch(r"[A-Z]\d{3}", entry["code"])
    assert isinstance(entry["message"], str) and isinstance(entry["help"], str)
    check_span(entry["span"])
    for note in entry["notes"]:
        assert list(note) == fields("A note") and isinstance(note["text"], str)
        check_span(note["span"])
    for place in entry["places"]:
        assert list(place) == fields("A place of a finding")
        check_span(place["span"])
        assert place["access"] is None or list(place["access"]) == fields("An access")


def test_json_of_an_error():
    import runpy

    program = Path(__file__).parent / "programs" / "T401_without_padding.py"
    with pytest.raises(errors.PyascError) as caught:
        runpy.run_path(str(program))
    (entry,) = json.loads(caught.value.to_json())
    check_diagnostic(entry)
    assert entry["code"] == "T401" and entry["span"] == {
        "file": str(program),
        "line": 12,
        "column": 4,
        "end_line": 12,
        "end_column": 63,
    }
    assert [note["span"] and note["span"]["column"] for note in entry["notes"]] == [None, None, None, 22, 34]


def findings_of(code: str, tmp_path: Path) -> tuple[list[dict], errors.CheckError]:
    """What the wrong half of the example of a code ends with."""
    import runpy

    from pyasc import explained

    example = explained.example(code)
    (tmp_path / "example.py").write_text(example.program(example.wrong))
    with pytest.raises(errors.CheckError) as caught:
        runpy.run_path(str(tmp_path / "example.py"))
    return json.loads(caught.value.to_json()), caught.value


def access(kind: str, tensor: str, memory: str, begin: int, end: int) -> dict:
    return {"kind": kind, "tensor": tensor, "memory": memory, "begin": begin, "end": end, "bytes": end - begin}


@pytest.mark.parametrize(
    ("code", "places"),
    [  # core, pipe, function, what it accesses
        (
            "S301",
            [("block 0", "V", "adds", ("read", "tile", "UB", 0, 256)), ("block 0", "MTE2", "data_copy", ("write", "tile", "UB", 0, 256))],
        ),
        (
            "S303",
            [
                ("block 0", "MTE3", "data_copy", ("write", "x_gm", "GM", 0, 256)),
                ("block 1", "MTE3", "data_copy", ("write", "x_gm", "GM", 0, 256)),
            ],
        ),
        ("M301", [("block 0", "V", "adds", ("read", "tile", "UB", 128, 256)), ("block 0", "S", "local", None)]),
        ("S104", [("block 0", "MTE3", "set_flag", None)]),
        ("M201", [("block 0", "S", "s_add", None)]),
    ],
)
def test_json_of_a_finding(tmp_path, code, places):
    (entry,), error = findings_of(code, tmp_path)
    check_diagnostic(entry)
    found = [(place["core"], place["pipe"], place["call"], place["access"]) for place in entry["places"]]
    assert found == [(core, pipe, call, touched and access(*touched)) for core, pipe, call, touched in places]
    assert entry["places"][0]["span"] == entry["span"] and [place["block"] for place in entry["places"]] == [
        int(core.split()[1]) for core, *_ in places
    ]
    (finding,) = error.findings
    assert finding.code == code and [place.call for place in finding.places] == [call for _, _, call, _ in places]
    assert json.loads(pickle.loads(pickle.dumps(error)).to_json()) == [entry]


def test_json_of_an_access_out_of_memory(tmp_path):
    (entry,), _ = findings_of("M101", tmp_path)
    check_diagnostic(entry)
    (place,) = entry["places"]
    assert place["access"]["bytes"] == place["access"]["end"] - place["access"]["begin"] > 0
    assert f"bytes {place['access']['begin']}..{place['access']['end'] - 1}" in entry["message"]


def test_json_without_a_place():
    entry = json.loads(report.to_json([Diagnostic("K103", "message")]))[0]
    check_diagnostic(entry)
    assert entry["span"] is None and entry["notes"] == entry["places"] == [] and entry["help"] == ""


def test_fault_of_pyasc_is_not_blamed_on_the_kernel():
    error = errors.internal_error("a value is used before it is made")
    assert isinstance(error, errors.InternalError) and not isinstance(error, errors.PyascError)
    assert (
        str(error)
        == "internal error[T000]: a value is used before it is made\nhelp: please report this fault of pyasc, with the kernel that shows it"
    )


def errors_of_options():
    from asc.runtime.options import check

    check({"check": 3})


def test_errors_can_be_sent_to_another_process():
    import copy
    import pickle

    with pytest.raises(errors.PyascError) as caught:
        errors_of_options()
    for made in (pickle.loads(pickle.dumps(caught.value)), copy.deepcopy(caught.value)):
        assert type(made) is type(caught.value) and made.code == "K141" and str(made) == str(caught.value)
