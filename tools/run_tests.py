# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every test suite and adds up what they report; the last line is `N passed, N failed[, N skipped]`.

A suite that does not run to its end, or that runs no test, counts as a failure."""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass, field
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


@dataclass
class Suite:
    name: str
    report: Path
    read: Callable[[Path], Counts]
    command: list[object]
    environment: dict[str, str]
    counts: Counts = field(default_factory=Counts)
    seconds: float = 0
    problem: str = ""

    def run(self) -> None:
        print(f"== {self.name}", flush=True)
        self.report.unlink(missing_ok=True)
        start = time.monotonic()
        code = subprocess.run([str(part) for part in self.command], cwd=ROOT, env=self.environment).returncode
        self.seconds = time.monotonic() - start
        if self.report.exists():
            self.counts = self.read(self.report)
        if code != 0 and self.counts.failed == 0:
            self.counts.failed, self.problem = 1, f"  did not run to its end (exit code {code})"
        elif self.counts == Counts():
            self.counts.failed, self.problem = 1, "  ran no test"


def sanitizer_environment(build: Path) -> dict[str, str]:
    """Python itself has no sanitizer, so the run-time library comes in by LD_PRELOAD. Parts of LLVM poison memory by hand that others, in
    its archives and built without the sanitizer, do not release: poisoning by hand is off."""

    def library(name: str) -> str:
        command = [os.environ.get("CXX", "clang++"), f"-print-file-name={name}"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    return {
        "PYTHONPATH": str(build / "site"),
        "LD_PRELOAD": f"{library(f'libclang_rt.asan-{platform.machine()}.so')} {library('libstdc++.so.6')}",
        # Like malloc, the sanitizer answers a request for too much memory with null.
        "ASAN_OPTIONS": "detect_leaks=0:allow_user_poisoning=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


def suites(build: Path, sanitize: bool, long: bool, pytest_arguments: list[str]) -> list[Suite]:
    reports = build / "reports"
    reports.mkdir(exist_ok=True)
    plain = {**os.environ, "ASAN_OPTIONS": "allow_user_poisoning=0"}

    def cpp(name: str) -> Suite:
        report = reports / f"{name}.json"
        return Suite(name, report, read_gtest, [build / name, "--gtest_brief=1", f"--gtest_output=json:{report}"], plain)

    report = reports / "lit.xml"
    lit_script = Path(sys.executable).with_name("lit")
    lit = Suite("lit", report, read_junit, [lit_script, "-sv", f"--xunit-xml-output={report}", f"-Dbuild={build}", "tests/ir"], plain)
    report = reports / "pytest.xml"
    options = pytest_arguments or ["-n", os.cpu_count() or 1]
    environment = dict(os.environ)
    if long:
        options = ["--long", *options]
    if sanitize:
        environment |= sanitizer_environment(build)
        options = ["-m", "not plain_build", *options]
    pytest = Suite("pytest", report, read_junit, [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *options], environment)
    return [pytest] if pytest_arguments else [cpp("core_tests"), cpp("ir_tests"), lit, pytest]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True, help="build folder with the C++ tests")
    parser.add_argument("--sanitize", action="store_true", help="the build folder was made with sanitizers")
    parser.add_argument("--long", action="store_true", help="run the tests that take minutes, too")
    parser.add_argument("pytest", nargs="*", help="arguments of pytest; given, only pytest runs")
    arguments = parser.parse_args()
    chosen = suites((ROOT / arguments.build).resolve(), arguments.sanitize, arguments.long, arguments.pytest)
    for suite in chosen:
        suite.run()
    print()
    for suite in chosen:
        print(f"{suite.name:<12} {suite.seconds:6.1f} s  {suite.counts}{suite.problem}")
    total = sum((suite.counts for suite in chosen), Counts())
    print(total, flush=True)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
