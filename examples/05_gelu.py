# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lesson 5: the activation function GELU for float16, bfloat16 and float32, of any length.

The form with tanh, gelu(x) = x/2 * (1 + tanh(u)) with u = sqrt(2/pi) * (x + 0.044715 * x**3), is written with exp, the only one of the two
that the vector unit has:

    gelu(x) = x / (1 + exp(-2 * u)),    -2 * u = x * (a * x**2 + b)

It is written so because nothing cancels: where exp overflows the quotient is the 0 that it should be, and where exp is tiny it is x. Seven
vector instructions, one of them a division, do it.

The vector unit has no arithmetic for bfloat16, and float16 would lose the digits of x**3. So both are cast to float32 first, which is
exact, and rounded once at the end: the result is the nearest number of the type, or rarely the one beside it.
"""

import math

import asc
import ml_dtypes
import numpy as np

TILE = 8192  # elements of a tile
CORES = 8
B = -2 * math.sqrt(2 / math.pi)
A = B * 0.044715


@asc.jit
def gelu(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int) -> None:
    share = asc.ceildiv(n, asc.get_block_num())
    start = share * asc.get_block_idx()
    mine = max(0, min(share, n - start))
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + start, mine)
    z_gm.set_global_buffer(z + start, mine)

    for i in range(0, mine, TILE):
        count = min(TILE, mine - i)
        copy = asc.DataCopyExtParams(1, count * x.dtype.sizeof(), 0, 0, 0)
        tile = asc.LocalTensorAuto(x.dtype, TILE)
        asc.data_copy_pad(tile, x_gm[i], copy, asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))

        wide = tile
        if x.dtype != asc.float32:
            wide = asc.LocalTensorAuto(asc.float32, TILE)
            asc.cast(wide, tile, asc.RoundMode.CAST_NONE, count)
        result = asc.LocalTensorAuto(asc.float32, TILE)
        asc.mul(result, wide, wide, count)
        asc.muls(result, result, A, count)
        asc.adds(result, result, B, count)
        asc.mul(result, result, wide, count)
        asc.exp(result, result, count)
        asc.adds(result, result, 1.0, count)
        asc.div(result, wide, result, count)
        if x.dtype != asc.float32:
            asc.cast(tile, result, asc.RoundMode.CAST_RINT, count)
            result = tile

        asc.data_copy_pad(z_gm[i], result, copy)


def run(x: np.ndarray, cores: int = CORES) -> np.ndarray:
    """GELU of an array of float16, bfloat16 (of ml_dtypes) or float32."""
    z = np.zeros_like(x)
    gelu[cores](x, z, len(x))
    return z


def reference(x: np.ndarray) -> np.ndarray:
    """The form with tanh, in float64."""
    wide = x.astype(np.float64)
    exact: np.ndarray = wide / (1 + np.exp(np.minimum(wide * (A * wide**2 + B), 700)))
    return exact


def error_bound(x: np.ndarray) -> np.ndarray:
    """How far a result may be from the reference: 4 units of float32 in the size of x, and the last rounding to 16 bits."""
    bound: np.ndarray = 4 * 2.0**-24 * abs(x.astype(np.float64))
    if x.dtype != np.float32:
        info = ml_dtypes.finfo(x.dtype)
        bound += np.maximum(abs(reference(x)) * float(info.eps), float(info.smallest_subnormal)) / 2 * (1 + 2.0**-10)
    return bound


def main() -> None:
    rng = np.random.default_rng(0)
    for dtype in [np.float16, ml_dtypes.bfloat16, np.float32]:
        for n, cores in [(1, 8), (100, 3), (8193, 8), (300_001, 40)]:
            x = (rng.standard_normal(n) * 4).astype(dtype)
            z = run(x, cores)
            error = abs(z.astype(np.float64) - reference(x))
            assert (error <= error_bound(x)).all()
            cycles = gelu.last_launch.cycles
            print(f"{n} results of {np.dtype(dtype)} on {cores} cores are within {error.max():.1e}; {cycles} simulated cycles")


if __name__ == "__main__":
    main()
