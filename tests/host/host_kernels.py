# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Registered kernels of one block for the tests of the host API.
import asc
import pyasc


@pyasc.kernel("count_to", inputs=(), outputs=("out",), attributes={"n": 10}, tiling=lambda total: [1, 1, 1, 1])
@asc.jit
def count_to(out: asc.GlobalAddress, n: int):
    """Adds up in a loop: time for other threads."""
    result = asc.GlobalTensor()
    result.set_global_buffer(out, 1)
    total = 0
    for i in range(n):
        total = (total + i) % 1000003
    result.set_value(0, total)


@pyasc.kernel("endless", inputs=(), outputs=("out",), tiling=lambda total: [1, 1, 1, 1])
@asc.jit
def endless(out: asc.GlobalAddress):
    result = asc.GlobalTensor()
    result.set_global_buffer(out, 1)
    i = 0
    while i >= 0:
        i = 1 - i
    result.set_value(0, i)


@pyasc.kernel("append", inputs=("x",), outputs=("z",), attributes={"digit": 0}, tiling=pyasc.tiling.elementwise)
@asc.jit
def append(x: asc.GlobalAddress, z: asc.GlobalAddress, digit: int):
    """z = 10 * x + digit: tells in which order launches ran."""
    source, target = asc.GlobalTensor(), asc.GlobalTensor()
    source.set_global_buffer(x, 1)
    target.set_global_buffer(z, 1)
    target.set_value(0, source.get_value(0) * 10 + digit)


@pyasc.kernel("beyond", inputs=(), outputs=("out",), tiling=lambda total: [1, 1, 1, 1])
@asc.jit
def beyond(out: asc.GlobalAddress):
    """Writes behind its array."""
    result = asc.GlobalTensor()
    result.set_global_buffer(out, 2)
    result.set_value(1, 7)


@pyasc.kernel("untranslatable", inputs=(), outputs=("out",), tiling=lambda total: [1, 1, 1, 1])
@asc.jit
def untranslatable(out: asc.GlobalAddress):
    missing_function(out)  # noqa: F821
