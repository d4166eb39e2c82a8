# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what `make bench` reports and writes build/bench.json: {"metrics": {name: value}, "scaling": {series: {size: microseconds}},
"checks": {kernel: {value of check: cost}}}.

Every value is a median, and a ratio or shown beside a reference from the same run. Where a first time counts (import, first compile, disk
hit) each sample is a fresh process with a cache folder of its own. Ratios to NumPy are measured in pairs, one after the other, so that both
see the same machine; they are NumPy's time divided by ours: bigger is better, 1.0 is as fast as NumPy. How times grow with the size of a
kernel and of a launch is in scaling.py."""

import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
RESULT = ROOT / "build" / "bench.json"
FRESH_PROCESSES = 11


@dataclass
class Metric:
    name: str
    value: float
    goal: str  # ">= 1.0", "<= 60"; "" when none was set
    reference: str


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def processor_time(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def per_call_us(call: Callable[[], object], calls: int = 2000, batches: int = 15) -> float:
    def batch() -> None:
        for _ in range(calls):
            call()

    batch()
    return statistics.median(timed(batch) for _ in range(batches)) / calls * 1e6


def load_example(name: str = "01_add"):
    spec = importlib.util.spec_from_file_location(f"example_{name}", ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


# ---------------------------------------------------------------- measured in a fresh process: functions that print milliseconds


def fresh_import() -> list[float]:
    numpy_ms = timed(lambda: __import__("numpy")) * 1e3
    asc_ms = timed(lambda: __import__("asc")) * 1e3
    return [asc_ms, numpy_ms]


def fresh_compile() -> list[float]:
    """Time to a runnable program and Ascend C text, and of CPython's own compile() for the same file."""
    import numpy as np

    lesson = load_example()
    arrays = [np.zeros(lesson.CORES * lesson.TILE, np.float32) for _ in range(3)]
    compile_ms = timed(lambda: len(lesson.add.compile(*arrays, arrays[0].size).ascendc)) * 1e3
    source = (ROOT / "examples" / "01_add.py").read_text()
    return [compile_ms, timed(lambda: compile(source, "01_add.py", "exec")) * 1e3]


def in_fresh_processes(function: str, cache: Path | None) -> list[float]:
    """Medians of what `function` returns; every process has an empty cache, unless one is given."""
    samples = []
    for _ in range(FRESH_PROCESSES):
        with tempfile.TemporaryDirectory() as empty:
            environment = dict(os.environ, PYASC_CACHE_DIR=str(cache or empty))
            environment.pop("PYASC_DUMP_PATH", None)
            command = [sys.executable, __file__, function]
            samples.append(json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout))
    return [statistics.median(column) for column in zip(*samples, strict=True)]


# ---------------------------------------------------------------- measured here


def first_times() -> list[Metric]:
    import_ms, numpy_ms = in_fresh_processes("fresh_import", None)
    cold_ms, python_ms = in_fresh_processes("fresh_compile", None)
    with tempfile.TemporaryDirectory() as folder:
        in_fresh_processes("fresh_compile", Path(folder))  # fills the cache
        hit_ms, _ = in_fresh_processes("fresh_compile", Path(folder))
    return [
        Metric("import_ms_after_numpy", import_ms, "<= 60", f"import numpy: {numpy_ms:.1f} ms"),
        Metric("cold_compile_ms", cold_ms, "<= 5", f"CPython compile() of the file: {python_ms:.2f} ms"),
        Metric("disk_hit_ms", hit_ms, "<= 1", f"cold compile: {cold_ms:.2f} ms"),
    ]


def steady_compile() -> Metric:
    import numpy as np

    lesson = load_example()
    arrays = [np.zeros(lesson.CORES * lesson.TILE, np.float32) for _ in range(3)]
    kernel = lesson.add.options(always_compile=True)
    samples = [timed(lambda: len(kernel.compile(*arrays, arrays[0].size).ascendc)) * 1e3 for _ in range(200)]
    source = (ROOT / "examples" / "01_add.py").read_text()
    python_ms = statistics.median(timed(lambda: compile(source, "01_add.py", "exec")) * 1e3 for _ in range(50))
    return Metric("steady_compile_ms", statistics.median(samples[20:]), "<= 1.5", f"CPython compile() of the file: {python_ms:.2f} ms")


def launches() -> list[Metric]:
    import kernels
    import numpy as np

    arrays = [np.zeros(64, np.float32) for _ in range(19)]
    three, nineteen = kernels.nothing_3[1], kernels.nothing_19[1]
    numpy_us = per_call_us(lambda: np.add(arrays[0], arrays[1], out=arrays[2]))
    reference = f"numpy.add of 64 numbers: {numpy_us:.2f} us"
    return [
        Metric("launch_us_3", per_call_us(lambda: three(*arrays[:3])), "<= 3", reference),
        Metric("launch_us_19", per_call_us(lambda: nineteen(*arrays)), "<= 6", reference),
    ]


def add_against_numpy() -> list[Metric]:
    import numpy as np

    flags, framework = load_example("01_add"), load_example("02_add_framework")
    framework.TILE = flags.TILE  # two buffers of this size for each array fill UB
    n = 64 << 20
    rng = np.random.default_rng(0)
    x, y = (rng.random(n, dtype=np.float32) for _ in range(2))
    z = np.zeros_like(x)

    def metric(name: str, kernel, goal: str) -> Metric:
        launcher = kernel[flags.CORES]
        launcher(x, y, z, n)
        np.add(x, y, out=z)
        pairs = [(timed(lambda: np.add(x, y, out=z)), timed(lambda: launcher(x, y, z, n))) for _ in range(15)]
        numpy_s, ours_s = (statistics.median(column) for column in zip(*pairs, strict=True))
        reference = f"numpy.add: {numpy_s * 1e3:.1f} ms, ours: {ours_s * 1e3:.1f} ms"
        return Metric(name, statistics.median(numpy / ours for numpy, ours in pairs), goal, reference)

    return [
        metric("add_unchecked_vs_numpy", flags.add.options(check=False), ">= 1.0"),
        metric("add_checked_vs_numpy", flags.add, ">= 0.8"),
        metric("add_framework_checked_vs_numpy", framework.add, ">= 0.8"),
    ]


def cast_against_numpy() -> list[Metric]:
    """float32 to float16 and back; NumPy converts into an array that is there already, as we do."""
    import kernels
    import numpy as np

    n = 64 << 20
    wide, narrow = np.random.default_rng(0).standard_normal(n, dtype=np.float32), np.zeros(n, np.float16)

    def metric(name: str, kernel, x: np.ndarray, z: np.ndarray) -> Metric:
        launcher = kernel.options(check=False)[8]
        convert = lambda: np.copyto(z, x, casting="same_kind")  # noqa: E731
        launcher(x, z, n)
        ours, numpy = z[:4096].copy(), x[:4096].astype(z.dtype)
        assert (ours == numpy).all()
        pairs = [(timed(convert), timed(lambda: launcher(x, z, n))) for _ in range(9)]
        numpy_s, ours_s = (statistics.median(column) for column in zip(*pairs, strict=True))
        reference = f"numpy {x.dtype} to {z.dtype}: {numpy_s * 1e3:.1f} ms, ours: {ours_s * 1e3:.1f} ms"
        return Metric(name, statistics.median(numpy / ours for numpy, ours in pairs), ">= 1.0", reference)

    return [
        metric("cast_vs_numpy", kernels.cast_narrow, wide, narrow),
        metric("cast_back_vs_numpy", kernels.cast_widen, narrow, wide),
    ]


def gather_against_numpy() -> Metric:
    """Random elements of tiles, without the checks. NumPy has the numbers of the elements ready, as it wants them: int64, of the whole
    array; it makes sure that they are in range, as the simulator does."""
    import kernels
    import numpy as np

    n, cores, tile = 32 << 20, 8, kernels.GATHER_TILE
    rng = np.random.default_rng(0)
    x = rng.random(n, dtype=np.float32)
    index = rng.integers(0, tile, n, dtype=np.int64)
    offsets = (index * x.itemsize).astype(np.uint32)
    index += np.arange(n) // tile * tile
    z = np.zeros_like(x)
    launcher = kernels.gather_tiles.options(check=False)[cores]
    launcher(x, offsets, z, n)
    assert (z == x[index]).all()
    take = lambda: np.take(x, index)  # noqa: E731 - faster than x[index], and than with `out`
    pairs = [(timed(take), timed(lambda: launcher(x, offsets, z, n))) for _ in range(9)]
    numpy_s, ours_s = (statistics.median(column) for column in zip(*pairs, strict=True))
    reference = f"numpy.take: {numpy_s * 1e3:.1f} ms, ours: {ours_s * 1e3:.1f} ms"
    return Metric("gather_vs_numpy", statistics.median(numpy / ours for numpy, ours in pairs), ">= 1.0", reference)


CHECKS = ["all", "-rules", "-uninitialised", "-races", "-core_races", "-races,-core_races", "rules"]


def costs_of_checks() -> dict[str, dict[str, float]]:
    """Per kernel and value of `check`: processor time of a launch by that without checks, measured in turns; medians."""
    import kernels
    import numpy as np

    lesson = load_example()
    n = 8 << 20
    x, y, z = np.ones(n, np.float32), np.ones(n, np.float32), np.zeros(n, np.float32)
    out, total = np.zeros(64, np.float32), np.zeros(1, np.int32)
    runs = {  # kernel, cores, arguments
        "example 01": (lesson.add, lesson.CORES, (x, y, z, n)),
        "small tiles": (kernels.add_small_tiles, lesson.CORES, (x, y, z, n >> 5)),
        "vector instructions": (kernels.vectors, 1, (out, 10_000)),
        "scalar instructions": (kernels.count, 1, (total, 100_000)),
    }
    costs = {}
    for name, (kernel, cores, arguments) in runs.items():
        launchers = {check: kernel.options(check=check)[cores] for check in (False, *CHECKS)}
        rounds = [{check: processor_time(lambda: f(*arguments)) for check, f in launchers.items()} for _ in range(32)]  # noqa: B023
        costs[name] = {check: statistics.median(times[check] / times[False] for times in rounds[2:]) for check in CHECKS}
    return costs


def checks_cost(costs: dict[str, dict[str, float]]) -> Metric:
    """What the checks cost: the geometric mean over the kernels."""
    mean = statistics.geometric_mean(by_check["all"] for by_check in costs.values())
    return Metric("checks_cost", mean, "<= 1.5", ", ".join(f"{name}: {by_check['all']:.2f}" for name, by_check in costs.items()))


def show_checks(costs: dict[str, dict[str, float]]) -> None:
    print("\nprocessor time by that of check=False, for values of check")
    print(f"{'':<20}" + "".join(f"{check:>{len(check) + 3}}" for check in CHECKS))
    for name, by_check in costs.items():
        print(f"{name:<20}" + "".join(f"{by_check[check]:>{len(check) + 3}.2f}" for check in CHECKS))


def small_launch() -> Metric:
    import kernels
    import numpy as np

    x = np.linspace(-4, 4, 8192, dtype=np.float16)
    z = np.zeros_like(x)
    launcher = kernels.absolute[8]
    milliseconds = per_call_us(lambda: launcher(x, z, x.size), calls=200) / 1e3
    assert (z == abs(x)).all()
    numpy_us = per_call_us(lambda: np.abs(x, out=z), calls=200)
    return Metric("abs8k_8cores_ms", milliseconds, "<= 1", f"numpy.abs: {numpy_us / 1e3:.4f} ms")


def softmax_against_numpy() -> Metric:
    """Softmax of the rows of a matrix of 4096 x 4096, without checks, against the obvious way to write it in NumPy."""
    import numpy as np

    lesson = load_example("06_softmax")
    x = np.random.default_rng(0).standard_normal((4096, 4096), dtype=np.float32)
    y = np.empty_like(x)
    launcher = lesson.softmax.options(check=False)[lesson.CORES]

    def in_numpy() -> np.ndarray:
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    launcher(x, y, *x.shape)
    np.testing.assert_allclose(y, in_numpy(), *lesson.ERROR[np.float32])
    pairs = [(timed(in_numpy), timed(lambda: launcher(x, y, *x.shape))) for _ in range(9)]
    numpy_s, ours_s = (statistics.median(column) for column in zip(*pairs, strict=True))
    reference = f"e = exp(x - max); e / sum in numpy {np.__version__}: {numpy_s * 1e3:.0f} ms, ours: {ours_s * 1e3:.0f} ms"
    return Metric("softmax_vs_numpy", statistics.median(numpy / ours for numpy, ours in pairs), ">= 3.0", reference)


def layer_norm_against_numpy() -> Metric:
    """LayerNorm of the rows of a matrix of 4096 x 1024, without checks, against the obvious way to write it in NumPy."""
    import numpy as np

    lesson = load_example("13_layer_norm")
    rng = np.random.default_rng(0)
    rows, n, epsilon = 4096, 1024, 1e-5
    x = rng.standard_normal((rows, n), dtype=np.float32)
    gamma, beta = rng.random(n, dtype=np.float32), rng.random(n, dtype=np.float32)
    z = np.empty_like(x)
    launcher = lesson.layer_norm.options(check=False)[lesson.CORES]

    def in_numpy() -> np.ndarray:
        mean, variance = x.mean(axis=1, keepdims=True), x.var(axis=1, keepdims=True)
        return (x - mean) / np.sqrt(variance + epsilon) * gamma + beta

    ours = lambda: launcher(x, gamma, beta, z, rows, n, epsilon)  # noqa: E731
    ours()
    assert (abs(z - lesson.reference(x, gamma, beta, epsilon)) <= lesson.error_bound(x, gamma, beta, epsilon)).all()
    pairs = [(timed(in_numpy), timed(ours)) for _ in range(15)]
    numpy_s, ours_s = (statistics.median(column) for column in zip(*pairs, strict=True))
    reference = f"(x - mean) / sqrt(var + epsilon) * gamma + beta: {numpy_s * 1e3:.1f} ms, ours: {ours_s * 1e3:.1f} ms"
    return Metric("layernorm_vs_numpy", statistics.median(numpy / ours for numpy, ours in pairs), ">= 1.0", reference)


def instruction_rate() -> list[Metric]:
    import kernels
    import numpy as np

    n = 1_000_000
    out = np.zeros(1, np.int32)
    kernel = kernels.count[1]
    kernel(out, n)
    seconds = statistics.median(timed(lambda: kernel(out, n)) for _ in range(9))
    rate = kernels.count.last_launch.instructions / seconds / 1e6
    python_n = 100_000
    total = 0

    def python_loop() -> None:
        nonlocal total
        for i in range(python_n):
            if i % 3 == 1:
                total = (total + i) & 0xFFFFFF

    python_s = timed(python_loop) * n / python_n
    return [
        Metric("sim_minstr_per_s", rate, "", f"the same loop in CPython takes {python_s / seconds:.1f} times as long"),
        Metric("scalar_loop_ns_per_op", 1e3 / rate, "<= 5", f"a turn of the loop: {seconds / n * 1e9:.1f} ns"),
    ]


def show_scaling(all_series) -> None:
    print("\nmicroseconds, and per unit")
    for series in all_series:
        print(f"{series.name} by {series.unit}: grows with exponent {series.growth:.2f}")
        for size, seconds in series.seconds.items():
            print(f"{size:>9} {seconds * 1e6:>11.1f} {seconds / size * 1e6:>9.2f}")


def main() -> None:
    with tempfile.TemporaryDirectory() as cache:
        os.environ["PYASC_CACHE_DIR"] = cache
        os.environ.pop("PYASC_DUMP_PATH", None)
        import scaling

        costs = costs_of_checks()
        metrics = [
            *first_times(),
            steady_compile(),
            *launches(),
            small_launch(),
            *add_against_numpy(),
            softmax_against_numpy(),
            layer_norm_against_numpy(),
            *cast_against_numpy(),
            gather_against_numpy(),
            checks_cost(costs),
            *instruction_rate(),
        ]
        series = scaling.all_series()
    RESULT.parent.mkdir(exist_ok=True)
    result = {
        "metrics": {m.name: round(m.value, 4) for m in metrics},
        "scaling": {f"{s.name} by {s.unit}": {n: round(t * 1e6, 2) for n, t in s.seconds.items()} for s in series},
        "checks": {name: {check: round(cost, 3) for check, cost in by_check.items()} for name, by_check in costs.items()},
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print(f"{'metric':<30} {'value':>9}  {'goal':<7} reference")
    for m in metrics:
        print(f"{m.name:<30} {m.value:>9.2f}  {m.goal:<7} {m.reference}")
    show_checks(costs)
    show_scaling(series)
    print(f"written to {RESULT.relative_to(ROOT)}")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        print(json.dumps({"fresh_import": fresh_import, "fresh_compile": fresh_compile}[sys.argv[1]]()))
    else:
        main()
