# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Racy and clean twins: one kernel body per hazard. With all its lines a twin is clean; without the lines marked `sync` the lines marked
# `first` and `second` race, and no others. Bodies work on four tensors of 256 float32 in the unified buffer (x, y, z, w) and on the arrays
# x_gm and y_gm (inputs, 256 elements) and z_gm (the result, 512 elements).
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

FRAME = """import asc


@asc.jit(auto_sync={auto_sync})
def kernel(x_address: asc.GlobalAddress, y_address: asc.GlobalAddress, z_address: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x_address, 256)
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y_address, 256)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z_address, 512)
    x = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 256)
    y = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 1024, 256)
    z = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 2048, 256)
    w = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 3072, 256)
"""


@dataclass(frozen=True)
class Twin:
    name: str
    body: list[str]
    result: Callable  # of x, y and the result array before: what the clean twin leaves in the first 256 elements of z_gm, or in all
    by_compiler: bool = False  # the device compiler orders the pair: racy with auto_sync=False only
    blocks: int = 1
    code: str = "S301"

    def source(self, auto_sync: bool) -> str:
        return FRAME.format(auto_sync=auto_sync) + "".join(f"    {line}\n" for line in self.body)


def flag(event: str, number: int = 0) -> list[str]:
    return [f"asc.set_flag(asc.HardEvent.{event}, {number})", f"asc.wait_flag(asc.HardEvent.{event}, {number})"]


def marked(lines: list[str], mark: str) -> list[str]:
    return [f"{line}  # <- {mark}" for line in lines]


def barrier(pipe: str) -> list[str]:
    return [f"asc.pipe_barrier(asc.PipeID.PIPE_{pipe})"]


def ordered(earlier: str, sync: list[str], later: str) -> list[str]:
    """Two statements and what orders them."""
    return marked([earlier], "first") + marked(sync, "sync") + marked([later], "second")


LOAD = ["asc.data_copy(x, x_gm, 256)", "asc.data_copy(y, y_gm, 256)", *flag("MTE2_V")]
LOAD_AND_WAIT = [*LOAD[:2], *barrier("ALL")]
ADD = "asc.add(z, x, y, 256)"


def store(tensor: str, after: str = "V") -> list[str]:
    return [*flag(f"{after}_MTE3"), f"asc.data_copy(z_gm, {tensor}, 256)"]


def replaced(array: np.ndarray, changes: dict) -> np.ndarray:
    """The array with some ranges replaced: {(start, stop): values}."""
    array = array.copy()
    for (start, stop), values in changes.items():
        array[start:stop] = values
    return array


BETWEEN_PIPES = [
    Twin(
        "V reads what MTE2 loads",
        [*ordered("asc.data_copy(x, x_gm, 256)", flag("MTE2_V", 1), "asc.adds(z, x, 1.0, 256)"), *store("z")],
        lambda x, y, z: x + 1,
    ),
    Twin(
        "V overwrites what MTE2 loads",
        [*ordered("asc.data_copy(z, x_gm, 256)", flag("MTE2_V", 1), "asc.duplicate(z, 3.0, 256)"), *flag("MTE2_MTE3"), *store("z")],
        lambda x, y, z: np.full_like(x, 3),
    ),
    Twin(
        "MTE2 overwrites what V reads",
        [*LOAD, *barrier("MTE2"), *ordered(ADD, flag("V_MTE2", 1), "asc.data_copy(x, y_gm, 256)"), *store("z")],
        lambda x, y, z: x + y,
    ),
    Twin(
        "MTE2 overwrites what V writes",
        [
            *ordered("asc.duplicate(x, 3.0, 256)", flag("V_MTE2", 1), "asc.data_copy(x, x_gm, 256)"),
            *flag("V_MTE3"),
            *store("x", after="MTE2"),
        ],
        lambda x, y, z: x,
    ),
    Twin(
        "MTE3 stores what V writes",
        [*LOAD, *ordered(ADD, flag("V_MTE3", 1), "asc.data_copy(z_gm, z, 256)")],
        lambda x, y, z: x + y,
    ),
    Twin(
        "V overwrites what MTE3 stores",
        [
            *LOAD,
            ADD,
            *barrier("V"),
            *flag("V_MTE3"),
            *ordered("asc.data_copy(z_gm, z, 256)", flag("MTE3_V", 1), "asc.duplicate(z, 0.0, 256)"),
        ],
        lambda x, y, z: x + y,
    ),
    Twin(
        "MTE3 stores what MTE2 loads",
        ordered("asc.data_copy(x, x_gm, 256)", flag("MTE2_MTE3", 1), "asc.data_copy(z_gm, x, 256)"),
        lambda x, y, z: x,
    ),
    Twin(
        "MTE2 overwrites what MTE3 stores",
        [
            "asc.data_copy(x, x_gm, 256)",
            *barrier("MTE2"),
            *flag("MTE2_MTE3"),
            *ordered("asc.data_copy(z_gm, x, 256)", flag("MTE3_MTE2", 1), "asc.data_copy(x, y_gm, 256)"),
        ],
        lambda x, y, z: x,
    ),
    Twin(
        "MTE2 loads from global memory what MTE3 stored",
        [
            *LOAD,
            ADD,
            *flag("V_MTE3"),
            *ordered("asc.data_copy(z_gm, z, 256)", flag("MTE3_MTE2", 1), "asc.data_copy(w, z_gm, 256)"),
            *flag("MTE2_MTE3"),
            "asc.data_copy(z_gm[256], w, 256)",
        ],
        lambda x, y, z: np.concatenate([x + y, x + y]),
    ),
    Twin(
        "MTE3 overwrites in global memory what MTE2 loads",
        [
            "asc.data_copy(y, y_gm, 256)",
            *flag("MTE2_MTE3"),
            *ordered("asc.data_copy(x, z_gm, 256)", flag("MTE2_MTE3", 1), "asc.data_copy(z_gm, y, 256)"),
            *flag("MTE2_MTE3", 2),
            "asc.data_copy(z_gm[256], x, 256)",
        ],
        lambda x, y, z: np.concatenate([y, z[:256]]),
    ),
    Twin(
        "ordered through a third pipe",
        [
            *LOAD,
            *barrier("MTE2"),
            *marked([ADD], "first"),
            *store("z"),
            *marked(flag("MTE3_MTE2", 1), "sync"),
            *marked(["asc.data_copy(x, y_gm, 256)"], "second"),
        ],
        lambda x, y, z: x + y,
    ),
    Twin(
        "ordered by a barrier for all pipes",
        [*LOAD, *ordered(ADD, barrier("ALL"), "asc.data_copy(z_gm, z, 256)")],
        lambda x, y, z: x + y,
    ),
    Twin(
        "one flag per load",
        [
            "asc.data_copy(x, x_gm, 256)",
            "asc.set_flag(asc.HardEvent.MTE2_V, 0)",
            "asc.data_copy(y, y_gm, 256)  # <- first",
            "asc.set_flag(asc.HardEvent.MTE2_V, 1)  # <- sync",
            "asc.wait_flag(asc.HardEvent.MTE2_V, 0)",
            "asc.wait_flag(asc.HardEvent.MTE2_V, 1)  # <- sync",
            "asc.add(z, x, y, 256)  # <- second",
            *store("z"),
        ],
        lambda x, y, z: x + y,
    ),
    Twin(
        "next round of a loop",
        [
            "for i in range(4):",
            *(f"    {line}" for line in barrier("MTE2")),
            "    asc.data_copy(x, x_gm[64 * i], 64)  # <- second",
            *(f"    {line}" for line in flag("MTE2_V")),
            "    asc.adds(z[64 * i], x, 1.0, 64)  # <- first",
            *(f"    {line}" for line in marked(flag("V_MTE2"), "sync")),
            *store("z"),
        ],
        lambda x, y, z: x + 1,
    ),
]

SCALAR_UNIT = [
    Twin(
        "V reads what S writes",
        [*LOAD_AND_WAIT, *ordered("x.set_value(9, 5.0)", flag("S_V", 1), ADD), *store("z")],
        lambda x, y, z: replaced(x, {(9, 10): 5.0}) + y,
        by_compiler=True,
    ),
    Twin(
        "S reads what V writes",
        [*LOAD_AND_WAIT, *ordered(ADD, flag("V_S", 1), "v = z.get_value(3)"), "asc.duplicate(w, v, 256)", *store("w")],
        lambda x, y, z: np.full_like(x, x[3] + y[3]),
        by_compiler=True,
    ),
    Twin(
        "S overwrites what V writes",
        [*LOAD_AND_WAIT, *ordered(ADD, flag("V_S", 1), "z.set_value(3, 7.0)"), *flag("S_MTE3"), *store("z")],
        lambda x, y, z: replaced(x + y, {(3, 4): 7.0}),
        by_compiler=True,
    ),
    Twin(
        "S overwrites what V reads",
        [*LOAD_AND_WAIT, *ordered(ADD, flag("V_S", 1), "x.set_value(3, 7.0)"), *store("z")],
        lambda x, y, z: x + y,
        by_compiler=True,
    ),
    Twin(
        "MTE3 stores what S writes",
        [*LOAD_AND_WAIT, *ordered("x.set_value(9, 5.0)", flag("S_MTE3", 1), "asc.data_copy(z_gm, x, 256)")],
        lambda x, y, z: replaced(x, {(9, 10): 5.0}),
        by_compiler=True,
    ),
    Twin(
        "S overwrites what MTE3 stores",
        [*LOAD_AND_WAIT, *ordered("asc.data_copy(z_gm, x, 256)", flag("MTE3_S", 1), "x.set_value(9, 5.0)")],
        lambda x, y, z: x,
        by_compiler=True,
    ),
    Twin(
        "S reads what MTE2 loads",
        [*ordered("asc.data_copy(x, x_gm, 256)", flag("MTE2_S", 1), "v = x.get_value(3)"), "asc.duplicate(w, v, 256)", *store("w")],
        lambda x, y, z: np.full_like(x, x[3]),
        by_compiler=True,
    ),
    Twin(
        "MTE2 overwrites what S writes",
        [*ordered("x.set_value(9, 5.0)", flag("S_MTE2", 1), "asc.data_copy(x, x_gm, 256)"), *flag("S_MTE3"), *store("x", after="MTE2")],
        lambda x, y, z: x,
        by_compiler=True,
    ),
    Twin(
        "MTE2 overwrites what S reads",
        [
            *LOAD_AND_WAIT,
            *ordered("v = x.get_value(3)", flag("S_MTE2", 1), "asc.data_copy(x, y_gm, 256)"),
            "asc.duplicate(w, v, 256)",
            *store("w"),
        ],
        lambda x, y, z: np.full_like(x, x[3]),
        by_compiler=True,
    ),
]

ONE_PIPE = [
    Twin(
        "V reads what V writes",
        [*LOAD, *ordered(ADD, barrier("V"), "asc.adds(w, z, 1.0, 256)"), *store("w")],
        lambda x, y, z: (x + y) + 1,
        by_compiler=True,
        code="S302",
    ),
    Twin(
        "V overwrites what V reads",
        [*LOAD, *ordered(ADD, barrier("V"), "asc.duplicate(x, 0.0, 256)"), *store("z")],
        lambda x, y, z: x + y,
        by_compiler=True,
        code="S302",
    ),
    Twin(
        "V reads what a copy inside the unified buffer writes",
        [*LOAD, *ordered("asc.data_copy(w, x, 256)", barrier("V"), "asc.add(z, w, y, 256)"), *store("z")],
        lambda x, y, z: x + y,
        by_compiler=True,
        code="S302",
    ),
    Twin(
        "MTE2 overwrites what MTE2 loads",
        [*ordered("asc.data_copy(x, x_gm, 256)", barrier("MTE2"), "asc.data_copy(x[128], y_gm, 128)"), *store("x", after="MTE2")],
        lambda x, y, z: np.concatenate([x[:128], y[:128]]),
        code="S302",
    ),
    Twin(
        "MTE3 overwrites what MTE3 stores",
        [*LOAD_AND_WAIT, *ordered("asc.data_copy(z_gm, x, 256)", barrier("MTE3"), "asc.data_copy(z_gm[248], y, 8)")],
        lambda x, y, z: replaced(x, {(248, 256): y[:8]}),
        code="S302",
    ),
]

# Here the clean twin needs no order: the marked line keeps two accesses apart.
APART = [
    Twin(
        "count",
        [
            *LOAD,
            *barrier("MTE2"),
            "n = 129",
            "n = 128  # <- sync",
            "asc.adds(z, x, 1.0, n)  # <- first",
            "asc.data_copy(x[128], y_gm, 128)  # <- second",
            *flag("V_MTE3"),
            "asc.data_copy(z_gm, z, 128)",
        ],
        lambda x, y, z: replaced(z, {(0, 128): x[:128] + 1}),
    ),
    Twin(
        "mask",
        [
            *LOAD,
            *barrier("MTE2"),
            "asc.duplicate(z, 0.0, 256)",
            *barrier("V"),
            "low = 0xFFFFFFFFFFFFFFFF",
            "low = 0xFFFFFFFFFFFFFF00  # <- sync",
            "asc.adds(z, x, 1.0, [low, 0], 1, asc.UnaryRepeatParams(1, 1, 8, 8))  # <- first",
            "asc.data_copy(x, y_gm, 8)  # <- second",
            *store("z"),
        ],
        lambda x, y, z: np.concatenate([x[:8] * 0, x[8:64] + 1, x[64:] * 0]),
    ),
    Twin(
        "one lane of a mask",
        [
            *LOAD_AND_WAIT,
            "asc.duplicate(z, 0.0, 256)",
            *barrier("ALL"),
            "low = 0x00FF",
            "low = 0x00FD  # <- sync",
            "asc.adds(z, x, 1.0, [low, 0], 1, asc.UnaryRepeatParams(1, 1, 8, 8))  # <- first",
            "x.set_value(1, 5.0)  # <- second",
            *store("z"),
        ],
        lambda x, y, z: np.concatenate([x[:1] + 1, x[1:2] * 0, x[2:8] + 1, x[8:] * 0]),
        by_compiler=True,
    ),
    Twin(
        "block stride",
        [
            *LOAD,
            *barrier("MTE2"),
            "asc.duplicate(z, 0.0, 256)",
            *barrier("V"),
            "at = 0",
            "at = 8  # <- sync",
            "asc.adds(z, x, 1.0, 64, 1, asc.UnaryRepeatParams(1, 2, 8, 8))  # <- first",
            "asc.data_copy(x[at], y_gm, asc.DataCopyParams(8, 1, 0, 1))  # <- second",
            *store("z"),
        ],
        lambda x, y, z: np.concatenate([x[:128].reshape(8, 16)[:, :8].ravel() + 1, x[64:] * 0]),
    ),
    Twin(
        "repeat stride",
        [
            *LOAD,
            *barrier("MTE2"),
            "asc.duplicate(z, 0.0, 256)",
            *barrier("V"),
            "at = 120",
            "at = 64  # <- sync",
            "asc.adds(z, x, 1.0, 64, 2, asc.UnaryRepeatParams(1, 1, 8, 16))  # <- first",
            "asc.data_copy(x[at], y_gm, 64)  # <- second",
            *store("z"),
        ],
        lambda x, y, z: np.concatenate([x[:64] + 1, x[128:192] + 1, x[128:] * 0]),
    ),
    Twin(
        "address and element type",
        [
            *LOAD,
            *barrier("MTE2"),
            "at = 0",
            "at = 4096  # <- sync",
            "other = asc.LocalTensor(asc.int16, asc.TPosition.VECIN, at, 512)",
            "asc.add(z, x, y, 256)  # <- first",
            "asc.data_copy(other.reinterpret_cast(asc.float32), x_gm, 256)  # <- second",
            *store("z"),
        ],
        lambda x, y, z: x + y,
    ),
]

# Blocks of one launch may run at the same time on different cores.
BETWEEN_CORES = [
    Twin(
        "two blocks store the same bytes",
        [
            *LOAD,
            ADD,
            *flag("V_MTE3"),
            "z_gm = z_gm[asc.get_block_idx() * 256]  # <- sync",
            "asc.data_copy(z_gm, z, 256)  # <- first, second",
        ],
        lambda x, y, z: np.concatenate([x + y, x + y]),
        blocks=2,
        code="S303",
    ),
    Twin(
        "a block loads what another one stores",
        [
            "there = (1 - asc.get_block_idx()) * 256",
            "there = asc.get_block_idx() * 256  # <- sync",
            "asc.data_copy(x, z_gm[there], 256)  # <- first",
            *flag("MTE2_MTE3"),
            "asc.data_copy(z_gm[asc.get_block_idx() * 256], x, 256)  # <- second",
        ],
        lambda x, y, z: z,
        blocks=2,
        code="S303",
    ),
]

TWINS = BETWEEN_PIPES + SCALAR_UNIT + ONE_PIPE + APART + BETWEEN_CORES
