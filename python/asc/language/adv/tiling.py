# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a matrix multiplication is cut into pieces: structures that the host fills and kernels are given."""

from asc.language.core.dtype import int32
from asc.language.core.struct import Field, Struct


class TCubeTiling(Struct, header="lib/matmul_intf.h"):
    """The tiling of a matrix multiplication, as Ascend C defines it: 50 numbers of type int32, 200 bytes. All are 0 unless they are given.

    used_core_num: cores that get work.
    m, n, k_a, k_b: the shapes of A (m x k_a) and B (k_b x n), in elements.
    single_core_m, single_core_n, single_core_k: the part of one core.
    base_m, base_n, base_k: the block that one instruction of the cube multiplies, base_m and base_n multiples of 16.
    depth_a1, depth_b1: blocks of A and B kept in L1, double buffers included.
    step_m, step_n, step_k_a, step_k_b: blocks along an axis that are brought to L1 together.
    is_bias: 1 if a bias is added.
    iterate_order: 0 goes along m first, 1 along n.
    share_l1_size, share_l0c_size, share_ub_size: bytes taken from the shared buffers.
    db_l0a, db_l0b, db_l0c: buffers in L0A, L0B and L0C, 1 or 2.
    a_layout_info_*, b_layout_info_*, c_layout_info_*, batch_num: the batch layout of A, B and C.
    trans_length, share_mode, batch_m, batch_n, single_batch_m, single_batch_n, depth_a_l1_cache_ub, depth_b_l1_cache_ub, mx_type_para: not
    used by these cores.
    """

    used_core_num = Field(int32, 0, "usedCoreNum")
    m = Field(int32, 0, "M")
    n = Field(int32, 0, "N")
    k_a = Field(int32, 0, "Ka")
    k_b = Field(int32, 0, "Kb")
    single_core_m = Field(int32, 0, "singleCoreM")
    single_core_n = Field(int32, 0, "singleCoreN")
    single_core_k = Field(int32, 0, "singleCoreK")
    base_m = Field(int32, 0, "baseM")
    base_n = Field(int32, 0, "baseN")
    base_k = Field(int32, 0, "baseK")
    depth_a1 = Field(int32, 0, "depthA1")
    depth_b1 = Field(int32, 0, "depthB1")
    step_m = Field(int32, 0, "stepM")
    step_n = Field(int32, 0, "stepN")
    is_bias = Field(int32, 0, "isBias")
    trans_length = Field(int32, 0, "transLength")
    iterate_order = Field(int32, 0, "iterateOrder")
    share_mode = Field(int32, 0, "shareMode")
    share_l1_size = Field(int32, 0, "shareL1Size")
    share_l0c_size = Field(int32, 0, "shareL0CSize")
    share_ub_size = Field(int32, 0, "shareUbSize")
    batch_m = Field(int32, 0, "batchM")
    batch_n = Field(int32, 0, "batchN")
    single_batch_m = Field(int32, 0, "singleBatchM")
    single_batch_n = Field(int32, 0, "singleBatchN")
    step_k_a = Field(int32, 0, "stepKa")
    step_k_b = Field(int32, 0, "stepKb")
    depth_a_l1_cache_ub = Field(int32, 0, "depthAL1CacheUB")
    depth_b_l1_cache_ub = Field(int32, 0, "depthBL1CacheUB")
    db_l0a = Field(int32, 0, "dbL0A")
    db_l0b = Field(int32, 0, "dbL0B")
    db_l0c = Field(int32, 0, "dbL0C")
    a_layout_info_b = Field(int32, 0, "ALayoutInfoB")
    a_layout_info_s = Field(int32, 0, "ALayoutInfoS")
    a_layout_info_n = Field(int32, 0, "ALayoutInfoN")
    a_layout_info_g = Field(int32, 0, "ALayoutInfoG")
    a_layout_info_d = Field(int32, 0, "ALayoutInfoD")
    b_layout_info_b = Field(int32, 0, "BLayoutInfoB")
    b_layout_info_s = Field(int32, 0, "BLayoutInfoS")
    b_layout_info_n = Field(int32, 0, "BLayoutInfoN")
    b_layout_info_g = Field(int32, 0, "BLayoutInfoG")
    b_layout_info_d = Field(int32, 0, "BLayoutInfoD")
    c_layout_info_b = Field(int32, 0, "CLayoutInfoB")
    c_layout_info_s1 = Field(int32, 0, "CLayoutInfoS1")
    c_layout_info_n = Field(int32, 0, "CLayoutInfoN")
    c_layout_info_g = Field(int32, 0, "CLayoutInfoG")
    c_layout_info_s2 = Field(int32, 0, "CLayoutInfoS2")
    batch_num = Field(int32, 0, "BatchNum")
    mx_type_para = Field(int32, 0, "mxTypePara")


__all__ = ["TCubeTiling"]
