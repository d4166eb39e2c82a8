# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the linked extension: every symbol it leaves open belongs to Python or to a system library, and it needs no shared LLVM."""

import re
import subprocess
import sys

SYSTEM_LIBRARIES = re.compile(r"(lib(c|m|dl|pthread|rt|stdc\+\+|gcc_s|z|zstd|atomic)|ld-linux[\w-]*)\.so")
PYTHON = re.compile(r"_?Py")


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main(path: str) -> int:
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "-d", path))
    problems = [f"needs {name}" for name in needed if not SYSTEM_LIBRARIES.match(name)]
    for line in output("nm", "-D", "--undefined-only", path).splitlines():
        kind, name = line.split()[-2:]
        versioned = "@" in name  # the linker found it in a shared library
        if kind == "U" and not versioned and not PYTHON.match(name):
            problems.append(f"undefined symbol {name}")
    for problem in problems:
        print(f"{path}: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
