# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every test suite and adds up what they report; the last line is `N passed, N failed[, N skipped]`. A suite that does not run to its end
counts as a failure."""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed" + (f", {self.skipped} skipped" if self.skipped else "")


def read_gtest(report: Path) -> Counts:
    counts = Counts()
    for suite in json.loads(report.read_text())["testsuites"]:
        for test in suite["testsuite"]:
            if test.get("failures"):
                counts.failed += 1
            elif test["result"] == "COMPLETED":
                counts.passed += 1
            else:
                counts.skipped += 1
    return counts


def read_junit(report: Path) -> Counts:
    counts = Counts()
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            counts.failed += 1
        elif case.find("skipped") is not None:
            counts.skipped += 1
        else:
            counts.passed += 1
    return counts


def sanitizer_environment(build: Path) -> dict[str, str]:
    """Python is not built with the sanitizer, so its run-time library comes first by LD_PRELOAD; LLVM's archives poison memory that they free
    without the sanitizer, so manual poisoning is off."""
    compiler = os.environ.get("CXX", "clang++")
    libraries = [f"libclang_rt.asan-{platform.machine()}.so", "libstdc++.so.6"]
    paths = [subprocess.run([compiler, f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip() for name in libraries]
    return {
        "PYTHONPATH": str(build / "site"),
        "LD_PRELOAD": " ".join(paths),
        "ASAN_OPTIONS": "detect_leaks=0:allow_user_poisoning=0:detect_stack_use_after_return=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True, help="build folder with the C++ tests")
    parser.add_argument("--sanitize", action="store_true", help="the build folder was made with sanitizers")
    parser.add_argument("pytest", nargs="*", help="arguments of pytest; given, only pytest runs")
    arguments = parser.parse_args()
    build = (ROOT / arguments.build).resolve()
    reports = build / "reports"
    reports.mkdir(exist_ok=True)
    environment = dict(os.environ)
    python_environment = {**environment, **sanitizer_environment(build)} if arguments.sanitize else environment

    gtest = [(name, read_gtest, reports / f"{name}.json", [build / name, "--gtest_brief=1", f"--gtest_output=json:{reports / name}.json"], environment)
             for name in ("core_tests", "ir_tests")]
    lit = ("lit", read_junit, reports / "lit.xml",
           [sys.executable, "-m", "lit", "-q", f"--xunit-xml-output={reports / 'lit.xml'}", f"-Dbuild={build}", "tests/ir"], environment)
    workers = [] if arguments.pytest else ["-n", str(min(8, os.cpu_count() or 1))]
    pytest = ("pytest", read_junit, reports / "pytest.xml",
              [sys.executable, "-m", "pytest", "-q", *workers, f"--junitxml={reports / 'pytest.xml'}", *arguments.pytest], python_environment)

    rows = []
    for name, read, report, command, env in [pytest] if arguments.pytest else [*gtest, lit, pytest]:
        print(f"== {name}", flush=True)
        report.unlink(missing_ok=True)
        start = time.monotonic()
        code = subprocess.run([str(part) for part in command], cwd=ROOT, env=env).returncode
        counts = read(report) if report.exists() else Counts()
        problem = ""
        if code != 0 and counts.failed == 0:
            counts.failed, problem = 1, f"  did not run to its end (exit code {code})"
        elif counts == Counts():
            counts.failed, problem = 1, "  ran no test"
        rows.append((name, time.monotonic() - start, counts, problem))

    print()
    for name, seconds, counts, problem in rows:
        print(f"{name:<12} {seconds:6.1f} s  {counts}{problem}")
    total = sum((counts for _, _, counts, _ in rows), Counts())
    print(total, flush=True)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
