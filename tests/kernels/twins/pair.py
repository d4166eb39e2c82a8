# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a pair of twins is: a kernel that is right, and the same kernel with a mistake. Both stand in one function:

    @pair("S301", lambda x, y, z: x + 1)
    @asc.jit
    def v_reads_what_mte2_loads(x_gm, y_gm, z_gm):
        x, z = tile(0), tile(1)
        asc.data_copy(x, x_gm, 256)  # <- there
        order(asc.HardEvent.MTE2_V)  # <- clean
        asc.adds(z, x, 1.0, 256)  # <- here
        ...

Lines marked `clean` are in the right kernel only, those marked `racy` in the other one only. The finding points at the line `here`, its
notes at the lines `there`, and at no others. The clean twin leaves in z_gm what the function in the decorator makes of the arrays."""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import asc
import numpy as np
from support.kernel_file import load

TILE = 256  # elements

# ---------------------------------------------------------------- what the kernels are written with


@asc.jit
def tile(number, dtype: asc.ConstExpr = asc.float32):
    """1 KiB of the unified buffer, the same for the same number: 256 elements of 4 bytes."""
    return asc.LocalTensor(dtype, asc.TPosition.VECCALC, 1024 * number, 1024 // dtype.sizeof())


@asc.jit
def order(event: asc.ConstExpr, number: asc.ConstExpr = 0):
    """What the second pipe of the event does from here on comes after what the first one did before."""
    asc.set_flag(event, number)
    asc.wait_flag(event, number)


@asc.jit
def write_back(tensor):
    """The line of the data cache that the tensor begins in goes back to memory and is forgotten."""
    asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT, tensor)


@asc.jit
def launch(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, body: asc.ConstExpr):
    """The kernel around a twin: x and y are float32 of 256 elements, z of 512; instead of y there may be 1024 words of int32, all 0."""
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 256)
    y_gm.set_global_buffer(y, 256 if y.dtype == asc.float32 else 1024)
    z_gm.set_global_buffer(z, 512)
    body(x_gm, y_gm, z_gm)


# ---------------------------------------------------------------- pairs

DATA_RACES = ("S301", "S302", "S303")


@dataclass(frozen=True)
class Pair:
    kernel: Callable
    code: str
    result: Callable  # of x, y and z before: what the clean twin leaves at the beginning of z; the rest stays
    blocks: int = 1
    words: bool = False  # y is words
    by_compiler: bool = False  # with auto_sync the device compiler orders the accesses: then the mistake is none
    unseen: str = ""  # of a data race: why no run of the adversarial mode comes out differently
    more: tuple[str, ...] = ()  # codes of what follows from the mistake
    says: tuple[str, ...] = ()  # what the text of the finding must contain
    ahead: bool = False  # the clean twin waits for what S dispatches later: its order is not that of the program
    lines_of: tuple[str, ...] = ()  # functions beside it whose marks count, too
    options: tuple[tuple[str, object], ...] = ()

    @property
    def name(self) -> str:
        return self.kernel.__name__

    @property
    def topic(self) -> str:
        return self.kernel.__module__.rpartition(".")[2]

    @property
    def races(self) -> bool:
        return self.code in DATA_RACES

    def arrays(self) -> list[np.ndarray]:
        rng = np.random.default_rng(7)
        x, y, z = (rng.integers(-99, 99, size).astype(np.float32) for size in (256, 256, 512))
        return [x, np.zeros(1024, np.int32) if self.words else y, z]

    def run(self, module: ModuleType, arrays: list[np.ndarray], **options) -> None:
        """Runs the twin of this module (see `twins_of`)."""
        launch.options(**dict(self.options), **options)[self.blocks](*arrays, getattr(module, self.name).kernel)

    def expected(self) -> np.ndarray:
        x, y, z = self.arrays()
        result = np.asarray(self.result(x, y, z.copy()), np.float32).ravel()
        z[: result.size] = result
        return z


def pair(code: str, result: Callable, **facts) -> Callable:
    facts["options"] = tuple(facts.get("options", {}).items())
    return lambda kernel: Pair(kernel, code, result, **facts)


def pairs_of(module: ModuleType) -> list[Pair]:
    return [value for value in vars(module).values() if isinstance(value, Pair)]


# ---------------------------------------------------------------- from one source two kernels

_MARK = re.compile(r"  # <- ([\w, ]+)$")


def marks(line: str) -> set[str]:
    found = _MARK.search(line)
    return {word.strip() for word in found[1].split(",")} if found else set()


def marked_lines(pair: Pair, mark: str) -> set[int]:
    """Line numbers in the file."""
    lines, function = set(), ""
    for number, line in enumerate(Path(sys.modules[pair.kernel.__module__].__file__).read_text().splitlines(), 1):
        if line.startswith("def "):
            function = line[4:].partition("(")[0]
        if function in (pair.name, *pair.lines_of) and mark in marks(line):
            lines.add(number)
    return lines


def without(source: str, mark: str) -> str:
    """The source with `pass` in the place of every line with that mark; line numbers stay."""
    return "".join(
        line[: len(line) - len(line.lstrip())] + "pass\n" if mark in marks(line.rstrip("\n")) else line for line in source.splitlines(True)
    )


def twins_of(module: ModuleType, change: Callable = lambda source: source) -> tuple[ModuleType, ModuleType]:
    """The clean and the racy twins of a file; their findings have the line numbers of the file. `change` may change the source."""
    source = change(Path(module.__file__).read_text())
    return load(without(source, "racy")), load(without(source, "clean"))
