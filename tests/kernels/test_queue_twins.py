# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Queue hazards as twins. The clean twin leaves out the lines marked `+`, the faulty one those marked `-`. The faulty one is found with its
# code; the finding points at the lines marked `here` and, where there is one, `there`.
from dataclasses import dataclass

import numpy as np
import pytest
from support.kernel_file import load
from support.refusals import diagnostics_of

HEAD = """
import asc


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 256)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, 256)
    pipe = asc.TPipe()
"""


@dataclass(frozen=True)
class Twin:
    name: str
    code: str
    body: str

    def source(self, leave_out: str) -> str:
        """Marks are comments: `# -`, `# +`, `# here`, `# + here` and so on."""
        lines = HEAD.strip("\n").split("\n") + ["    " + line for line in self.body.strip("\n").split("\n")]
        return "\n".join(line for line in lines if leave_out not in line.partition("#")[2].split()) + "\n"


def doubled(copy_in: str, compute: str, copy_out: str, x_queue: str = "asc.TQue(asc.TPosition.VECIN, 1)") -> str:
    """z = x + x for four tiles through two queues of one buffer."""

    def indented(text):
        return "".join(f"    {line}\n" for line in text.strip("\n").split("\n"))

    return f"""
x_queue = {x_queue}
z_queue = asc.TQue(asc.TPosition.VECOUT, 1)
pipe.init_buffer(x_queue, 1, 256)
pipe.init_buffer(z_queue, 1, 256)
for i in range(4):
{indented(copy_in)}{indented(compute)}{indented(copy_out)}"""


COPY_IN = """
x_tile = x_queue.alloc_tensor(asc.float32)
asc.data_copy(x_tile, x_gm[64 * i], 64)
x_queue.enque(x_tile)
"""
COMPUTE = """
x_tile = x_queue.deque(asc.float32)
z_tile = z_queue.alloc_tensor(asc.float32)
asc.add(z_tile, x_tile, x_tile, 64)
z_queue.enque(z_tile)
x_queue.free_tensor(x_tile)
"""
COPY_OUT = """
z_tile = z_queue.deque(asc.float32)
asc.data_copy(z_gm[64 * i], z_tile, 64)
z_queue.free_tensor(z_tile)
"""


def marked(text: str, marks: dict[str, str]) -> str:
    """The text with a mark behind the line that contains each key."""
    for fragment, mark in marks.items():
        line = next(line for line in text.split("\n") if fragment in line)
        text = text.replace(line, f"{line}  # {mark}")
    return text


TWINS = [
    Twin(
        "V does not wait for the tensor that MTE2 fills",
        "S301",
        doubled(
            marked(COPY_IN, {"data_copy": "there", "enque": "-"}),
            marked(COMPUTE, {"deque": "-", "asc.add": "here"}),
            COPY_OUT,
        ),
    ),
    Twin(
        "MTE3 does not wait for the tensor that V fills",
        "S301",
        doubled(
            COPY_IN,
            marked(COMPUTE, {"asc.add": "there", "z_queue.enque": "-"}),
            marked(COPY_OUT, {"deque": "-", "data_copy": "here"}),
        ),
    ),
    Twin(
        "an input is freed before its last use",
        "S301",
        doubled(
            marked(COPY_IN, {"data_copy": "here"}),
            """
x_tile = x_queue.deque(asc.float32)
z_tile = z_queue.alloc_tensor(asc.float32)
x_queue.free_tensor(x_tile)  # +
asc.add(z_tile, x_tile, x_tile, 64)  # there
z_queue.enque(z_tile)
x_queue.free_tensor(x_tile)  # -
""",
            COPY_OUT,
        ),
    ),
    Twin(
        "a result is freed before it is copied out",
        "S301",
        doubled(
            COPY_IN,
            marked(COMPUTE, {"asc.add": "here"}),
            """
z_tile = z_queue.deque(asc.float32)
z_queue.free_tensor(z_tile)  # +
asc.data_copy(z_gm[64 * i], z_tile, 64)  # there
z_queue.free_tensor(z_tile)  # -
""",
        ),
    ),
    Twin(
        "a queue at the wrong position orders other pipes",
        "S301",
        doubled(
            marked(COPY_IN, {"data_copy": "there"}),
            marked(COMPUTE, {"asc.add": "here"}),
            COPY_OUT,
            x_queue="asc.TQue(asc.TPosition.VECIN, 1)  # -\nx_queue = asc.TQue(asc.TPosition.VECOUT, 1)  # +",
        ),
    ),
    Twin(
        "an input is never freed",
        "Q106",
        doubled(marked(COPY_IN, {"alloc_tensor": "here"}), marked(COMPUTE, {"free_tensor": "-", "deque": "there"}), COPY_OUT),
    ),
    Twin(
        "a result is never put into its queue",
        "Q105",
        doubled(COPY_IN, marked(COMPUTE, {"z_queue.enque": "-", "alloc_tensor": "there"}), marked(COPY_OUT, {"deque": "here"})),
    ),
    Twin(
        "two tensors go into a queue of depth 1",
        "Q104",
        """
queue = asc.TQue(asc.TPosition.VECIN, 2)  # -
queue = asc.TQue(asc.TPosition.VECIN, 1)  # +
pipe.init_buffer(queue, 2, 256)
for i in range(2):
    tile = queue.alloc_tensor(asc.float32)
    asc.data_copy(tile, x_gm[64 * i], 64)
    queue.enque(tile)  # here there
for i in range(2):
    tile = queue.deque(asc.float32)
    queue.free_tensor(tile)
""",
    ),
    Twin(
        "a queue of two has one buffer",
        "Q106",
        """
queue = asc.TQue(asc.TPosition.VECIN, 2)
pipe.init_buffer(queue, 2, 256)  # -
pipe.init_buffer(queue, 1, 256)  # +
for i in range(2):
    tile = queue.alloc_tensor(asc.float32)  # here
    asc.data_copy(tile, x_gm[64 * i], 64)
    queue.enque(tile)  # there
for i in range(2):
    tile = queue.deque(asc.float32)
    queue.free_tensor(tile)
""",
    ),
    Twin(
        "a tensor is put into the queue twice",
        "Q102",
        """
queue = asc.TQue(asc.TPosition.VECIN, 2)
pipe.init_buffer(queue, 1, 256)
tile = queue.alloc_tensor(asc.float32)
queue.enque(tile)  # there
queue.enque(tile)  # + here
tile = queue.deque(asc.float32)
queue.free_tensor(tile)
""",
    ),
    Twin(
        "a freed tensor is put into the queue",
        "Q102",
        """
queue = asc.TQue(asc.TPosition.VECIN, 2)
pipe.init_buffer(queue, 1, 256)
tile = queue.alloc_tensor(asc.float32)
queue.free_tensor(tile)  # + there
queue.enque(tile)  # here
tile = queue.deque(asc.float32)
queue.free_tensor(tile)
""",
    ),
    Twin(
        "a tensor is freed twice",
        "Q103",
        """
queue = asc.TQue(asc.TPosition.VECIN, 1)
pipe.init_buffer(queue, 1, 256)
tile = queue.alloc_tensor(asc.float32)
queue.free_tensor(tile)  # there
queue.free_tensor(tile)  # + here
""",
    ),
    Twin(
        "a tensor goes back to another queue",
        "Q101",
        """
queue = asc.TQue(asc.TPosition.VECIN, 1)
other = asc.TQue(asc.TPosition.VECIN, 1)
pipe.init_buffer(queue, 1, 256)  # there
pipe.init_buffer(other, 1, 256)
tile = queue.alloc_tensor(asc.float32)
if asc.get_block_num() == 1:
    queue.free_tensor(tile)  # -
    tile = other.alloc_tensor(asc.float32)
other.free_tensor(tile)  # -
queue.free_tensor(tile)  # + here
""",
    ),
    Twin(
        "a tensor is never freed",
        "Q107",
        """
queue = asc.TQue(asc.TPosition.VECIN, 1)
pipe.init_buffer(queue, 1, 256)
tile = queue.alloc_tensor(asc.float32)
queue.enque(tile)
tile = queue.deque(asc.float32)  # here
queue.free_tensor(tile)  # -
""",
    ),
    Twin(
        "a tensor is never taken out of the queue",
        "Q107",
        """
queue = asc.TQue(asc.TPosition.VECIN, 1)
pipe.init_buffer(queue, 1, 256)
tile = queue.alloc_tensor(asc.float32)
queue.enque(tile)  # here
tile = queue.deque(asc.float32)  # -
queue.free_tensor(tile)  # -
""",
    ),
    Twin(
        "a flag by hand takes an id of the queue",
        "S101",
        """
queue = asc.TQue(asc.TPosition.VECIN, 1)
pipe.init_buffer(queue, 1, 256)
number = pipe.alloc_event_id(asc.HardEvent.MTE2_V)  # -
number = 0  # +
asc.set_flag(asc.HardEvent.MTE2_V, number)  # there
tile = queue.alloc_tensor(asc.float32)
queue.enque(tile)  # here
tile = queue.deque(asc.float32)
queue.free_tensor(tile)
asc.wait_flag(asc.HardEvent.MTE2_V, number)  # -
""",
    ),
    Twin(
        "nothing orders the pipes at a TBuf",
        "S301",
        """
buf = asc.TBuf(asc.TPosition.VECCALC)
pipe.init_buffer(buf, 256)
tile = buf.get(asc.float32)
asc.data_copy(tile, x_gm, 64)  # there
number = pipe.fetch_event_id(asc.HardEvent.MTE2_V)
asc.set_flag(asc.HardEvent.MTE2_V, number)  # -
asc.wait_flag(asc.HardEvent.MTE2_V, number)  # -
asc.adds(tile, tile, 1.0, 64)  # here
""",
    ),
    Twin(
        "pools share memory and nothing orders their users",
        "S301",
        """
first = asc.TBufPool(asc.TPosition.VECCALC)
second = asc.TBufPool(asc.TPosition.VECCALC)
pipe.init_buf_pool(first, 256)
pipe.init_buf_pool(second, 256, first)
a = asc.TBuf(asc.TPosition.VECCALC)
b = asc.TBuf(asc.TPosition.VECCALC)
first.init_buffer(a, 256)
second.init_buffer(b, 256)
asc.data_copy(a.get(asc.float32), x_gm, 64)  # there
asc.pipe_barrier(asc.PipeID.PIPE_ALL)  # -
asc.duplicate(b.get(asc.float32), 0.0, 64)  # here
""",
    ),
]

each_twin = pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.name)


def run(source: str) -> tuple[np.ndarray, np.ndarray]:
    x, z = np.arange(256, dtype=np.float32), np.zeros(256, np.float32)
    load(source).kernel[1](x, z)
    return x, z


@each_twin
def test_clean(twin):
    x, z = run(twin.source("+"))
    if "z_queue" in twin.body:
        np.testing.assert_array_equal(z, 2 * x)


@each_twin
def test_faulty(twin):
    source = twin.source("-")
    found = diagnostics_of(lambda: run(source))
    assert found[0].code == twin.code, found
    marks = [line.partition("#")[2].split() for line in source.split("\n")]
    lines = {mark: next((n for n, words in enumerate(marks, 1) if mark in words), None) for mark in ("here", "there")}
    assert found[0].span.line == lines["here"], found[0]
    if lines["there"]:
        assert lines["there"] in {note.span.line for note in found[0].notes}, found[0]
    assert found[0].help
