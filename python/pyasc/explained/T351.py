# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

a, b, c = np.ones((16, 16), np.float16), np.ones((16, 16), np.float16), np.zeros((16, 16), np.float32)
work = np.zeros(64, np.uint8)  # 16 MiB on a device
tiling = asc.adv.TCubeTiling(
    used_core_num=1,
    m=16,
    n=16,
    k_a=16,
    k_b=16,
    single_core_m=16,
    single_core_n=16,
    single_core_k=16,
    base_m=16,
    base_n=16,
    base_k=16,
    depth_a1=1,
    depth_b1=1,
    step_m=1,
    step_n=1,
    step_k_a=1,
    step_k_b=1,
    db_l0a=2,
    db_l0b=2,
    db_l0c=1,
)
A, C = (
    asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, asc.float16),
    asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, asc.float32),
)


@asc.jit
def tensors(a, b, c):
    a_gm, b_gm, c_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    a_gm.set_global_buffer(a, 256)
    b_gm.set_global_buffer(b, 256)
    c_gm.set_global_buffer(c, 256)
    return a_gm, b_gm, c_gm


# %% wrong: the operand is on chip
@asc.jit(matmul_cube_only=True)
def kernel(a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, work: asc.GlobalAddress, t: asc.adv.TCubeTiling):
    _, b_gm, c_gm = tensors(a, b, c)
    pipe = asc.TPipe()
    mm = asc.adv.Matmul(A, A, C)
    asc.adv.register_matmul(pipe, work, mm, t)
    tile = asc.LocalTensor(asc.float16, asc.TPosition.VECOUT, 0, 256)
    mm.set_tensor_a(tile)
    mm.set_tensor_b(b_gm)
    mm.iterate_all(c_gm)


kernel[1](a, b, c, work, tiling)


# %% right: in global memory
@asc.jit(matmul_cube_only=True)
def kernel(a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, work: asc.GlobalAddress, t: asc.adv.TCubeTiling):
    a_gm, b_gm, c_gm = tensors(a, b, c)
    pipe = asc.TPipe()
    mm = asc.adv.Matmul(A, A, C)
    asc.adv.register_matmul(pipe, work, mm, t)
    mm.set_tensor_a(a_gm)
    mm.set_tensor_b(b_gm)
    mm.iterate_all(c_gm)


kernel[1](a, b, c, work, tiling)
