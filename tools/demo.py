# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The first look (`make demo`): compiles examples/01_add.py, runs it on 8 Mi numbers, shows what came out of the compiler and the
simulator, lets the checker find the fault in a copy of it that lacks one wait_flag, and runs the other lessons."""

import importlib.util
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "01_add.py"
MORE = [lesson for lesson in sorted(EXAMPLE.parent.glob("*.py")) if lesson != EXAMPLE]
DUMPS = ROOT / "build" / "demo"
REMOVED = "asc.wait_flag(asc.HardEvent.MTE2_V, buffer)"
N = 8 << 20


def load(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def milliseconds(action) -> float:
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1e3


def excerpt(title: str, text: str, first: str, lines: int = 36) -> None:
    """Prints some lines of a text, beginning with the one that starts with `first`."""
    rows = text.splitlines()
    start = next(number for number, row in enumerate(rows) if row.startswith(first))
    print(f"\n--- {title}, lines {start + 1} to {min(start + lines, len(rows))} of {len(rows)}")
    print("\n".join(rows[start : start + lines]))


def racy_copy() -> Path:
    source = EXAMPLE.read_text().splitlines(keepends=True)
    kept = [line for line in source if line.strip() != REMOVED]
    assert len(kept) == len(source) - 1, f"{EXAMPLE} should hold the line {REMOVED} once"
    path = DUMPS / "01_add_racy.py"
    path.write_text("".join(kept))
    return path


def main() -> None:
    DUMPS.mkdir(parents=True, exist_ok=True)
    os.environ["PYASC_CACHE_DIR"] = str(DUMPS / "cache")
    import numpy as np
    import pyasc

    lesson = load(EXAMPLE)
    rng = np.random.default_rng(0)
    x = rng.standard_normal(N, dtype=np.float32)
    y = rng.standard_normal(N, dtype=np.float32)
    z = np.zeros_like(x)

    uncached = lesson.add.options(always_compile=True)
    first_ms = milliseconds(lambda: uncached.compile(x, y, z, N))
    again_ms = milliseconds(lambda: uncached.compile(x, y, z, N))
    os.environ["PYASC_DUMP_PATH"] = str(DUMPS)
    compiled = uncached.compile(x, y, z, N)
    lesson.add[lesson.CORES](x, y, z, N)
    run_ms = milliseconds(lambda: lesson.add[lesson.CORES](x, y, z, N))
    launch = lesson.add.last_launch
    error = float(np.max(np.abs(z - (x + y))))
    least = x.nbytes + y.nbytes + z.nbytes
    moved = launch.gm_read_bytes + launch.gm_written_bytes

    print(f"z = x + y on {N >> 20} Mi float32, {lesson.CORES} cores, {EXAMPLE.relative_to(ROOT)}")
    print(f"  compiled in        {first_ms:.1f} ms, a second time in {again_ms:.1f} ms: program for the simulator, and Ascend C text")
    print(f"  ran in             {run_ms:.1f} ms on this computer, compiled already, with all checks on")
    print(f"  largest error      {error:g} against NumPy")
    print(f"  simulated time     {launch.cycles} cycles = {launch.microseconds:.1f} us on {compiled.target}")
    print(f"  global memory      {moved / 1e6:.1f} MB moved; the least possible is {least / 1e6:.1f} MB")
    print(f"  dumps              {DUMPS.relative_to(ROOT)}/ (IR, Ascend C, listing)")
    excerpt("Ascend C", compiled.ascendc, 'extern "C"')
    excerpt("program for the simulator", compiled.listing, "code")

    path = racy_copy()
    print(f"\n--- the same without the line `{REMOVED}`: the report of the launch")
    try:
        load(path).add[lesson.CORES](x, y, z, N)
    except pyasc.errors.CheckError as report:
        print(report)
        codes = {diagnostic.code for diagnostic in report.diagnostics}
    else:
        codes = set()
    if "S301" not in codes:
        sys.exit("demo: the checker did not find the race")
    if error != 0:
        sys.exit("demo: the result differs from NumPy's")
    for lesson in MORE:
        print(f"\n--- {lesson.relative_to(ROOT)}")
        load(lesson).main()
    print("\ndemo: all as expected: the results are right, and the race in the copy was found")


if __name__ == "__main__":
    main()
