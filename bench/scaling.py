# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How times grow with the size of a kernel, the number of its arguments, and the number of blocks: in proportion, or something is wrong.

A series measures one time at growing sizes, each the least of several. `growth` sums a series up as the exponent of its upper end: 1 where
twice the size takes twice the time, 2 where it takes four times; below 1 while a fixed part still counts."""

import importlib.util
import itertools
import math
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

_folder = tempfile.TemporaryDirectory(prefix="pyasc-scaling-")
_numbers = itertools.count()

STATEMENTS = (100, 250, 500, 1000, 2000, 4000)
ARGUMENTS = (2, 4, 8, 16, 32, 64)
BLOCKS = (1, 4, 16, 64, 256, 1024, 4096)


@dataclass
class Series:
    name: str
    unit: str  # what the sizes count
    seconds: dict[int, float]

    @property
    def growth(self) -> float:
        (a, low), (b, high) = list(self.seconds.items())[-2:]
        return math.log(high / low) / math.log(b / a)


def least(call: Callable[[], object], times: int) -> float:
    """The shortest processor time of several calls; other work on the machine counts less in it than in time on the clock."""

    def once() -> float:
        start = time.process_time()
        call()
        return time.process_time() - start

    return min(once() for _ in range(times))


def kernel(parameters: list[str], body: list[str]):
    """A kernel made of these lines. The compiler reads source files, so the text is written to one."""
    path = Path(_folder.name) / f"kernel_{next(_numbers)}.py"
    head = ["import asc", "", "", "@asc.jit", f"def kernel({', '.join(parameters)}):"]
    path.write_text("\n".join(head + [f"    {line}" for line in body]) + "\n")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.kernel


def kernel_of_statements(count: int):
    """Vector instructions and scalar arithmetic by turns; nothing can be left out, as every statement needs the one before."""
    head = [
        "out = asc.GlobalTensor()",
        "out.set_global_buffer(z, 64)",
        "x = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)",
        "asc.duplicate(x, 0.0, 64)",
    ]
    tail = ["asc.set_flag(asc.HardEvent.V_MTE3, 0)", "asc.wait_flag(asc.HardEvent.V_MTE3, 0)", "asc.data_copy(out, x, 64)"]
    pair = ["n = n * 3 % 1000", "asc.adds(x, x, n, 64)"]
    return kernel(["z: asc.GlobalAddress", "n: int"], head + pair * ((count - len(head + tail)) // 2) + tail)


def kernel_of_arguments(count: int):
    """Adds the first elements of all arrays but one."""
    names = [f"a{i}" for i in range(count)]
    body = ["total = 0.0"]
    for name in names[1:]:
        body += [f"{name}_gm = asc.GlobalTensor()", f"{name}_gm.set_global_buffer({name}, 8)", f"total = total + {name}_gm.get_value(0)"]
    body += ["out = asc.GlobalTensor()", "out.set_global_buffer(a0, 8)", "out.set_value(0, total)"]
    return kernel([f"{name}: asc.GlobalAddress" for name in names], body)


def kernel_of_blocks():
    """Every block writes 32 bytes of its own."""
    return kernel(
        ["z: asc.GlobalAddress"],
        [
            "out = asc.GlobalTensor()",
            "out.set_global_buffer(z + 8 * asc.get_block_idx(), 8)",
            "x = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 8)",
            "asc.duplicate(x, 1, 8)",
            "asc.set_flag(asc.HardEvent.V_MTE3, 0)",
            "asc.wait_flag(asc.HardEvent.V_MTE3, 0)",
            "asc.data_copy(out, x, 8)",
        ],
    )


def compile_by_statements(sizes=STATEMENTS, times: int = 5) -> Series:
    z = np.zeros(64, np.float32)

    def seconds(size: int) -> float:
        made = kernel_of_statements(size).options(always_compile=True)
        return least(lambda: len(made.compile(z, 7).ascendc), times)

    return Series("compile", "statements", {size: seconds(size) for size in sizes})


def compile_by_arguments(sizes=ARGUMENTS, times: int = 15) -> Series:
    def seconds(size: int) -> float:
        made, arrays = kernel_of_arguments(size).options(always_compile=True), [np.ones(8, np.float32) for _ in range(size)]
        return least(lambda: len(made.compile(*arrays).ascendc), times)

    return Series("compile", "arguments", {size: seconds(size) for size in sizes})


def launch_by_arguments(sizes=ARGUMENTS, times: int = 15) -> Series:
    def seconds(size: int) -> float:
        launcher, arrays = kernel_of_arguments(size)[1], [np.ones(8, np.float32) for _ in range(size)]
        launcher(*arrays)
        assert arrays[0][0] == size - 1

        def launches() -> None:
            for _ in range(200):
                launcher(*arrays)

        return least(launches, times) / 200

    return Series("launch", "arguments", {size: seconds(size) for size in sizes})


def launch_by_blocks(sizes=BLOCKS, times: int = 15) -> Series:
    made = kernel_of_blocks()

    def seconds(size: int) -> float:
        launcher, z = made[size], np.zeros(8 * size, np.int32)
        launcher(z)
        assert z.all()
        return least(lambda: launcher(z), times)

    return Series("launch", "blocks", {size: seconds(size) for size in sizes})


def all_series() -> list[Series]:
    return [compile_by_statements(), compile_by_arguments(), launch_by_arguments(), launch_by_blocks()]
