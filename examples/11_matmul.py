# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lesson 11: C = relu(A B + bias) with a Matmul on the cube cores, and the vector cores for what follows.

Every vector core gets some rows of C. It asks the cube core of its AI Core for one block after the other, and works on a block as soon as
it is there: `with mm.iterate()` is a loop over the blocks. The tiling says how large they are.
"""

import asc
import numpy as np

BASE = 64  # rows, columns and steps along K of a block
GM, ND = asc.TPosition.GM, asc.CubeFormat.ND
SINGLE = asc.adv.MatmulType(GM, ND, asc.float32)


@asc.jit
def layer(
    a: asc.GlobalAddress,
    b: asc.GlobalAddress,
    bias: asc.GlobalAddress,
    c: asc.GlobalAddress,
    work: asc.GlobalAddress,
    t: asc.adv.TCubeTiling,
) -> None:
    a_gm, b_gm, bias_gm, c_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    a_gm.set_global_buffer(a, t.m * t.k_a)
    b_gm.set_global_buffer(b, t.k_b * t.n)
    bias_gm.set_global_buffer(bias, t.n)
    c_gm.set_global_buffer(c, t.m * t.n)
    pipe = asc.TPipe()
    mm = asc.adv.Matmul(SINGLE, SINGLE, SINGLE, SINGLE)
    asc.adv.register_matmul(pipe, work, mm, t)
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, BASE * BASE * 4)
    core = asc.get_block_idx()
    if core < t.used_core_num:
        row = core * t.single_core_m
        mine = c_gm[row * t.n]
        tile = buffer.get(asc.float32)
        mm.set_tensor_a(a_gm[row * t.k_a])
        mm.set_tensor_b(b_gm)
        mm.set_bias(bias_gm)
        rows = asc.DataCopyParams(BASE, BASE // 8, (t.n - BASE) // 8, 0)  # of a block, in units of 32 bytes
        back = asc.DataCopyParams(BASE, BASE // 8, 0, (t.n - BASE) // 8)
        with mm.iterate() as i:
            mm.get_tensor_c(mine)  # the block is complete
            down = t.single_core_m // BASE
            block = mine[i % down * BASE * t.n + i // down * BASE]
            asc.data_copy(tile, block, rows)
            asc.set_flag(asc.HardEvent.MTE2_V, 0)
            asc.wait_flag(asc.HardEvent.MTE2_V, 0)
            asc.relu(tile, tile, BASE * BASE)
            asc.set_flag(asc.HardEvent.V_MTE3, 0)
            asc.wait_flag(asc.HardEvent.V_MTE3, 0)
            asc.data_copy(block, tile, back)
            asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
            asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)
    mm.end()


def run(a: np.ndarray, b: np.ndarray, bias: np.ndarray, cores: int) -> np.ndarray:
    """relu(a @ b + bias) of float32 matrices whose sizes are multiples of 64; `cores` vector cores share the rows of a."""
    (m, k), n = a.shape, b.shape[1]
    tiling = asc.adv.TCubeTiling(
        used_core_num=cores, m=m, n=n, k_a=k, k_b=k, single_core_m=m // cores, single_core_n=n, single_core_k=k,
        base_m=BASE, base_n=BASE, base_k=BASE, depth_a1=2, depth_b1=2, step_m=1, step_n=1, step_k_a=1, step_k_b=1,
        db_l0a=2, db_l0b=2, db_l0c=1, is_bias=1, share_l1_size=65536, share_l0c_size=BASE * BASE * 4,
    )  # fmt: skip
    c = np.zeros((m, n), np.float32)
    layer[-(-cores // 2)](a, b, bias, c, np.zeros(64, np.uint8), tiling)  # an AI Core has two vector cores
    return c


def main() -> None:
    rng = np.random.default_rng(0)
    for m, n, k, cores in [(64, 64, 64, 1), (256, 128, 192, 4), (512, 256, 256, 8)]:
        a, b = rng.integers(-4, 5, (m, k)).astype(np.float32), rng.integers(-4, 5, (k, n)).astype(np.float32)
        bias = rng.integers(-4, 5, n).astype(np.float32)
        c = run(a, b, bias, cores)
        np.testing.assert_array_equal(c, np.maximum(a @ b + bias, 0))
        print(f"{m} x {n} results are right; {layer.last_launch.cycles} simulated cycles")


if __name__ == "__main__":
    main()
