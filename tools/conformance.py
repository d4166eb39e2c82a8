# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests say of the APIs: for which element types they have cases, and an example of every API with its Ascend C text."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests" / "apis"
DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32", "float64"]


def cases(names: set[str]) -> Counter:
    """How many cases the tests of the APIs have, by (API, element type); as pytest collects them. A case belongs to the APIs that its id
    names, else to the one that its function or its file is called after."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--no-header", "-p", "no:cacheprovider", str(TESTS)]
    lines = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    found = Counter()
    for line in lines:
        if not (case := re.match(r"\S*test_(\w+)\.py::test_(\w+)(?:\[(.*)\])?$", line)):
            continue
        words = re.split(r"[^a-z0-9_]+|_to_", case[3] or "")
        for api in names.intersection(words) or names.intersection([case[2]]) or names.intersection([case[1]]):
            found.update((api, dtype) for dtype in DTYPES if dtype in words or f"{dtype}_" in words)
            found[api, ""] += 1
    return found


def examples() -> dict[str, tuple[str, str]]:
    """Calls of every API in Python, and the Ascend C text that the tests compare with: what is between the declarations and the end."""
    sys.path[:0] = [str(TESTS), str(ROOT / "tests")]
    from test_ascendc import CALLS

    found = {}
    for name, calls in CALLS.items():
        golden = TESTS / "golden" / f"{name}.cpp"
        if golden.exists():
            text = golden.read_text()
            body = re.split(r"(?:LocalTensor<\w+> (?:dst|src0|src1)|gm\.SetGlobalBuffer)\(.*\n", text)[-1].rsplit("}", 1)[0]
            found[name] = ("\n".join(calls), "\n".join(line.removeprefix("  ") for line in body.rstrip().splitlines()))
    return found
