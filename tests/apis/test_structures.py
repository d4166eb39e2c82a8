# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The Ascend C text of structures: defined once, passed as their bytes in global memory, used as C++ has them.
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.kernel_file import load
from test_framework import CLANG, COMMAND, HERE, without_lines

KERNEL = """from dataclasses import dataclass, field

import asc
from asc.language.core.struct import Field, Struct, StructField


class Part(Struct):
    ratio = Field(asc.float16, 0.5)
    number = Field(asc.int64, 1, name="theNumber")


class Packed(Struct, pack=2):
    flag = Field(asc.bool_, True)
    part = StructField(Part)


@dataclass
class Point:
    x: int
    y: float = 2.0
    part: Part = field(default_factory=Part)


@asc.jit
def move(p, packed, by):
    p.x += by
    p.part.ratio = p.y
    packed.part = p.part


@asc.jit
def moved(p, by):
    q = Point(p.x, part=p.part)
    q.x += by
    return q


@asc.jit
def parts(p, packed):
    return p.part, packed, p.x


@asc.jit
def kernel(x: asc.GlobalAddress, p: Point, n: int, packed: Packed):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x, 64)
    for i in range(n):
        move(p, packed, i)
    q = moved(p, n)
    part, copy, number = parts(q, packed)
    inner = copy.part
    inner.number = number
    local = packed.create_local()
    if local.flag:
        local.part.number -= 1
    gm.set_value(0, q.x)
    gm.set_value(1, inner.number.cast(asc.int32))
    gm.set_value(2, local.part.number.cast(asc.int32))
    gm.set_value(3, int(part.ratio))
"""
GOLDEN = HERE / "golden" / "Struct.cpp"


def test_text(golden):
    module = load(KERNEL)
    compiled = module.kernel.compile(np.zeros(64, np.int32), module.Point, 4, module.Packed)
    golden(GOLDEN, without_lines(compiled.ascendc))


@pytest.mark.skipif(not CLANG, reason="there is no clang++")
def test_text_is_cpp():
    run = subprocess.run([*COMMAND, GOLDEN], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


@pytest.mark.skipif(not CLANG, reason="there is no clang++")
def test_text_computes_what_the_simulator_does(tmp_path: Path):
    """The text is C++ but for the tensor: with one in place, a host compiler shows what it does."""
    module = load(KERNEL)
    out = np.zeros(64, np.int32)
    point, packed = module.Point(10), module.Packed(part=module.Part(ratio=3.0, number=50))
    module.kernel[1](out, point, 3, packed)
    assert out[:4].tolist() == [16, 16, 0, 2]

    class Image(module.Struct):
        x = module.Field(module.asc.int32)
        y = module.Field(module.asc.float32)
        part = module.StructField(module.Part)

    images = [Image(x=10, y=2.0, part=point.part).pack(), packed.pack()]
    source = GOLDEN.read_text().replace('#include "kernel_operator.h"', RUNNER)
    source += f"{RUN}int main() {{ run({{{text_of(images[0])}}}, {{{text_of(images[1])}}}); }}\n"
    (tmp_path / "run.cpp").write_text(source)
    subprocess.run([CLANG, "-std=c++17", "-o", tmp_path / "run", tmp_path / "run.cpp"], check=True)
    printed = subprocess.run([tmp_path / "run"], capture_output=True, text=True, check=True).stdout
    assert [int(word) for word in printed.split()] == out[:4].tolist()


def text_of(image: bytes) -> str:
    return ", ".join(map(str, image))


RUNNER = """#include <cstdint>
#include <cstdio>
#include <vector>
#define __aicore__
#define __global__
#define __gm__
#define GM_ADDR uint8_t *
using half = _Float16;
namespace AscendC {
template <typename T> struct GlobalTensor {
  T *data;
  void SetGlobalBuffer(T *buffer, uint64_t) { data = buffer; }
  void SetValue(uint64_t offset, T value) { data[offset] = value; }
};
}
"""
RUN = """void run(std::vector<uint8_t> p, std::vector<uint8_t> packed) {
  int32_t out[64];
  kernel((uint8_t *)out, p.data(), 3, packed.data());
  printf("%d %d %d %d\\n", out[0], out[1], out[2], out[3]);
}
"""
