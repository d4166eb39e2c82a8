# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The Ascend C text of every form of every API, compared with golden/<api>.cpp. `pytest tests/apis --update-golden` rewrites the files.
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import test_vector_binary
import test_vector_scalar
import test_vector_unary
from support.dtypes import FLOATS, NUMPY
from support.kernel_file import load
from support.vector_api import VectorApi
from test_framework import CLANG, COMMAND

FRAME = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, count: int, mask: int, low, high, repeats: int, stride: int, scalar: KIND):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x, 1024)
    dst = asc.LocalTensor(asc.DTYPE, asc.TPosition.VECOUT, 0, 1024)
    src0 = asc.LocalTensor(asc.DTYPE, asc.TPosition.VECIN, 2048, 1024)
    src1 = asc.LocalTensor(asc.DTYPE, asc.TPosition.VECIN, 4096, 1024)
"""


def dtype_of(api: VectorApi) -> str:
    return "float16" if "float16" in api.dtypes else api.dtypes[0]


def binary(api: VectorApi) -> list[str]:
    return [
        f"asc.{api.name}(dst, src0, src1, count)",
        f"asc.{api.name}(dst, src0, src1, 64)",
        f"asc.{api.name}(dst, src0, src1, mask, repeats, asc.BinaryRepeatParams(1, 1, 1, 8, 8, 8))",
        f"asc.{api.name}(dst, src0, src1, 128, 2, asc.BinaryRepeatParams(src0_rep_stride=stride), is_set_mask=False)",
        f"asc.{api.name}(dst, src0, src1, [low, high], repeats, asc.BinaryRepeatParams())",
        f"asc.{api.name}(dst, src0, src1, [8, 2], repeat_times=1, repeat_params=asc.BinaryRepeatParams(1, 2, 1, 8, 16, 8))",
    ]


def with_scalar(api: VectorApi) -> list[str]:
    number = "0.5" if dtype_of(api) in FLOATS else "3"
    return [
        f"asc.{api.name}(dst, src0, {number}, count)",
        f"asc.{api.name}(dst, src0, scalar, count, is_set_mask=False)",
        f"asc.{api.name}(dst, src0, 2, mask, repeats, asc.UnaryRepeatParams(1, 1, 8, 8))",
        f"asc.{api.name}(dst, src0, scalar, [low, high], repeats, asc.UnaryRepeatParams(src_rep_stride=stride), is_set_mask=False)",
    ]


def unary(api: VectorApi) -> list[str]:
    return [
        f"asc.{api.name}(dst, src0, count)",
        f"asc.{api.name}(dst, src0, 64)",
        f"asc.{api.name}(dst, src0, mask, repeats, asc.UnaryRepeatParams(1, 1, 8, 8))",
        f"asc.{api.name}(dst, src0, [low, high], repeats, asc.UnaryRepeatParams(src_rep_stride=stride), is_set_mask=False)",
    ]


BUFFERS = [
    "single = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 8192, 1024)",
    "byte = asc.LocalTensor(asc.int8, asc.TPosition.VECOUT, 16384, 1024)",
]


BITS = ["bits = asc.LocalTensor(asc.uint8, asc.TPosition.VECOUT, 8192, 1024)"]


def two_sources(name: str, dst: str, register: bool = False) -> list[str]:
    return [
        f"asc.{name}({dst}, src0, src1, count)",
        f"asc.{name}({dst}, src0, src1, mask, repeats, asc.BinaryRepeatParams(1, 1, 1, 4, 8, 8)" + ", is_set_mask=False" * register + ")",
        f"asc.{name}({dst}, src0, src1, [low, high], repeats, asc.BinaryRepeatParams(src0_rep_stride=stride))",
    ]


OFFSETS = ["offset = asc.LocalTensor(asc.uint32, asc.TPosition.VECIN, 8192, 1024)"]

FAMILIES = [(test_vector_binary, binary), (test_vector_scalar, with_scalar), (test_vector_unary, unary)]
DTYPES = {api.name: dtype_of(api) for family, _ in FAMILIES for api in family.APIS}
DTYPES["gatherb"] = "uint16"
DTYPES["data_cache_preload"] = "uint64"
DTYPES |= dict.fromkeys(["sync_all", "ib_set", "ib_wait", "wait_pre_block", "notify_next_block"], "int32")
CALLS = {
    **{api.name: calls(api) for family, calls in FAMILIES for api in family.APIS},
    "mul_add_dst": [
        *BUFFERS,
        *(call for dst in ("dst", "single") for call in two_sources("mul_add_dst", dst, register=True)),
    ],
    "axpy": [
        *BUFFERS,
        "asc.axpy(dst, src0, 0.5, count)",
        "asc.axpy(single, src0, scalar, count)",
        "asc.axpy(single, src0, 2, mask, repeats, asc.UnaryRepeatParams(1, 1, 8, 4))",
        "asc.axpy(single, single, scalar, [low, high], repeats, asc.UnaryRepeatParams(src_rep_stride=stride), is_set_mask=False)",
    ],
    "mul_cast": [*BUFFERS, *two_sources("mul_cast", "byte")],
    "add_relu_cast": [*BUFFERS, *two_sources("add_relu_cast", "byte", register=True)],
    "sub_relu_cast": [*BUFFERS, *two_sources("sub_relu_cast", "byte", register=True)],
    "set_deq_scale": [
        "vdeq = asc.LocalTensor(asc.uint64, asc.TPosition.VECCALC, 8192, 16)",
        "asc.set_deq_scale(0.5)",
        "asc.set_deq_scale(scalar)",
        "asc.set_deq_scale(0.5, 3, True)",
        "asc.set_deq_scale(scalar, count, mask > 3)",
        "asc.set_deq_scale(vdeq, asc.VdeqInfo([0.5] * 16, [count] * 16, [True, False] * 8))",
    ],
    "add_deq_relu": [
        "sum0 = asc.LocalTensor(asc.int32, asc.TPosition.VECIN, 8192, 1024)",
        "sum1 = asc.LocalTensor(asc.int32, asc.TPosition.VECIN, 16384, 1024)",
        "asc.add_deq_relu(dst, sum0, sum1, count)",
        "asc.add_deq_relu(dst, sum0, sum1, mask, repeats, asc.BinaryRepeatParams(1, 1, 1, 4, 8, 8), is_set_mask=False)",
        "asc.add_deq_relu(dst, sum0, sum1, [low, high], repeats, asc.BinaryRepeatParams(src0_rep_stride=stride))",
    ],
    "cast": [
        *BUFFERS,
        "asc.cast(single, src0, asc.RoundMode.CAST_NONE, count)",
        "asc.cast(byte, src0, asc.RoundMode.CAST_RINT, mask, repeats, asc.UnaryRepeatParams(1, 1, 4, 8), is_set_mask=False)",
        "asc.cast(dst, single, asc.RoundMode.CAST_ODD, [low, high], repeats, asc.UnaryRepeatParams(src_rep_stride=stride))",
    ],
    "cast_deq": [
        *BUFFERS,
        "word = asc.LocalTensor(asc.int16, asc.TPosition.VECIN, 24576, 1024)",
        "long = asc.LocalTensor(asc.int32, asc.TPosition.VECIN, 28672, 1024)",
        "asc.cast_deq(byte, word, count)",
        "asc.cast_deq(byte, word, count, is_vec_deq=False, half_block=False)",
        "asc.cast_deq(dst, long, mask, repeats, asc.UnaryRepeatParams(1, 1, 4, 8))",
        "asc.cast_deq(byte, word, [low, high], repeats, asc.UnaryRepeatParams(src_rep_stride=stride), False, True, False)",
    ],
    "compare": [
        *BITS,
        "asc.compare(bits, src0, src1, asc.CMPMODE.LT, 256)",
        "asc.compare(bits, src0, src1, asc.CMPMODE.GE, mask, repeats, asc.BinaryRepeatParams(), False)",
        "asc.compare(bits, src0, src1, asc.CMPMODE.NE, [low, high], repeats, asc.BinaryRepeatParams(src0_rep_stride=stride))",
        "asc.compare(src0, src1, asc.CMPMODE.EQ, mask, asc.BinaryRepeatParams())",
        "asc.compare(src0, src1, asc.CMPMODE.GT, [low, high], asc.BinaryRepeatParams(), is_set_mask=False)",
    ],
    "compare_scalar": [
        *BITS,
        "asc.compare_scalar(bits, src0, 0.5, asc.CMPMODE.LT, 256)",
        "asc.compare_scalar(bits, src0, scalar, asc.CMPMODE.LE, mask, repeats, asc.UnaryRepeatParams(), False)",
        "asc.compare_scalar(bits, src0, 2, asc.CMPMODE.NE, [low, high], repeats, asc.UnaryRepeatParams(src_rep_stride=stride))",
    ],
    "get_cmp_mask": [*BITS, "asc.get_cmp_mask(bits)"],
    "set_cmp_mask": [*BITS, "asc.set_cmp_mask(bits)"],
    "select": [
        *BITS,
        "asc.select(dst, bits, src0, 0.5, asc.SelMode.VSEL_TENSOR_SCALAR_MODE, count)",
        "asc.select(dst, bits, src0, src1, asc.SelMode.VSEL_TENSOR_TENSOR_MODE, count)",
        "asc.select(dst, bits, src0, scalar, asc.SelMode.VSEL_TENSOR_SCALAR_MODE, [low, high], repeats, asc.BinaryRepeatParams())",
        "asc.select(dst, bits, src0, 2, asc.SelMode.VSEL_TENSOR_SCALAR_MODE, mask, repeats, asc.BinaryRepeatParams(), False)",
        "asc.select(dst, bits, src0, repeats, asc.BinaryRepeatParams())",
        "asc.select(dst, bits, src0, src1, asc.SelMode.VSEL_CMPMASK_SPR, [low, high], repeats, asc.BinaryRepeatParams())",
        "asc.select(dst, bits, src0, src1, asc.SelMode.VSEL_TENSOR_TENSOR_MODE, mask, repeats, asc.BinaryRepeatParams())",
        "asc.select(dst, src0, src1, repeats, asc.BinaryRepeatParams(src0_rep_stride=stride), asc.SelMode.VSEL_CMPMASK_SPR)",
    ],
    "bilinear_interpolation": [
        "offset = asc.LocalTensor(asc.uint32, asc.TPosition.VECIN, 8192, 32)",
        "weights = asc.LocalTensor(asc.float16, asc.TPosition.VECIN, 8704, 64)",
        "tmp = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 16384, 65536)",
        "asc.bilinear_interpolation(dst, src0, offset, weights, 128, 2, False, 1, 128, 2, tmp)",
        "asc.bilinear_interpolation(dst, src0, offset, weights, mask, repeats, mask > 3, stride, count, 2, tmp)",
        "asc.bilinear_interpolation(dst, src0, offset, weights, [low, high], 2, True, 1, 128, repeats, shared_tmp_buffer=tmp)",
    ],
    "whole_reduce_sum": [
        "asc.whole_reduce_sum(dst, src0, mask, repeats, 1, 1, 8)",
        "asc.whole_reduce_sum(dst, src0, [low, high], repeats, 1, 1, stride, is_set_mask=False)",
    ],
    **{
        f"whole_reduce_{op}": [
            f"asc.whole_reduce_{op}(dst, src0, mask, repeats, 1, 1, 8)",
            f"asc.whole_reduce_{op}(dst, src0, [low, high], 2, 1, 1, stride, asc.ReduceOrder.ORDER_ONLY_INDEX, is_set_mask=False)",
        ]
        for op in ("max", "min")
    },
    "repeat_reduce_sum": ["asc.repeat_reduce_sum(dst, src0, repeats, mask, 0, 1, 1, stride)"],
    **{
        f"block_reduce_{op}": [
            f"asc.block_reduce_{op}(dst, src0, repeats, mask, 1, 1, 8)",
            f"asc.block_reduce_{op}(dst, src0, 2, [low, high], 1, stride, 8)",
        ]
        for op in ("sum", "max", "min")
    },
    "pair_reduce_sum": [
        "asc.pair_reduce_sum(dst, src0, repeats, mask, 1, 1, 8)",
        "asc.pair_reduce_sum(dst, src0, 2, [low, high], 1, 1, stride, is_set_mask=False)",
    ],
    "reduce_sum": [
        "asc.reduce_sum(dst, src0, src1, count)",
        "asc.reduce_sum(dst, src0, src1, mask, repeats, 8)",
        "asc.reduce_sum(dst, src0, shared_tmp_buffer=src1, mask=[low, high], repeat_time=2, src_rep_stride=stride)",
    ],
    **{
        f"reduce_{op}": [
            f"asc.reduce_{op}(dst, src0, src1, count)",
            f"asc.reduce_{op}(dst, src0, src1, mask, repeats, 8, True)",
            f"asc.reduce_{op}(dst, src0, src1, [low, high], 2, stride, cal_index=mask > 3)",
        ]
        for op in ("max", "min")
    },
    "sort32": ["index = asc.LocalTensor(asc.uint32, asc.TPosition.VECIN, 8192, 256)", "asc.sort32(dst, src0, index, repeats)"],
    "mrg_sort": [
        "two = asc.MrgSortSrcList(asc.float16, src0, src0[128])",
        "three = asc.MrgSortSrcList(asc.float16, src0, src0[128], src0[256])",
        "four = asc.MrgSortSrcList(asc.float16, src0, src0[128], src0[256], src0[384])",
        "asc.mrg_sort(dst, two, asc.MrgSort4Info([32, 32, 0, 0], False, 3, 1))",
        "asc.mrg_sort(dst, three, asc.MrgSort4Info([32, count, 7, 0], True, 7))",
        "asc.mrg_sort(dst, four, params=asc.MrgSort4Info([8, 8, 8, 8], valid_bit=15))",
        "asc.mrg_sort(dst, two, [32, 32, 0, 0], [0, 0, 0, 0], 3, 1)",
        "asc.mrg_sort(dst, three, [32, count, 7, 0], [0, 0, 0, 0], 7, repeats, True)",
        "a, b, c, d = asc.mrg_sort(dst, four, [8, 8, 8, 8], [0, 0, 0, 0], 15, 1)",
        "asc.data_copy(dst, gm[(a + b + c + d) * 16], count)",
    ],
    "get_mrg_sort_result": ["counts = asc.get_mrg_sort_result()", "asc.data_copy(dst, gm[counts[0] * 16 + counts[3] * 16], count)"],
    "sort": [
        "index = asc.LocalTensor(asc.uint32, asc.TPosition.VECIN, 8192, 256)",
        "asc.sort(dst, src0, index, src1, repeats)",
        "asc.sort(dst, src0, index, src1, 4, is_full_sort=True)",
    ],
    "concat": ["asc.adv.concat(dst, src0, src1, repeats)", "asc.data_copy(gm, dst, count)"],
    "extract": ["index = asc.LocalTensor(asc.uint32, asc.TPosition.VECIN, 8192, 256)", "asc.adv.extract(dst, index, src0, repeats)"],
    "get_sort_len": ["n = asc.get_sort_len(count)", "n = n + asc.get_sort_len(64, asc.float16)", "asc.data_copy(dst, gm[n * 16], count)"],
    "get_sort_offset": ["n = asc.get_sort_offset(count, asc.float16)", "asc.data_copy(dst, gm[n * 16], count)"],
    "gather_mask": [
        "bits = asc.LocalTensor(asc.uint16, asc.TPosition.VECIN, 8192, 64)",
        "asc.gather_mask(dst, src0, 2, False, 0, asc.GatherMaskParams(1, repeats, 8, 0))",
        "asc.gather_mask(dst, src0, mask, mask > 3, count, asc.GatherMaskParams(repeat_times=2, src0_repeat_stride=stride))",
        "kept = asc.gather_mask(dst, src0, bits, True, 70, asc.GatherMaskParams(), gather_mask_mode=asc.GatherMaskMode.DEFAULT)",
        "asc.data_copy(dst, gm[kept * 16], count)",
    ],
    "get_gather_mask_remain_count": ["n = asc.get_gather_mask_remain_count()", "asc.data_copy(dst, gm[n * 16], count)"],
    "duplicate": [
        "asc.duplicate(dst, 18.0, count)",
        "asc.duplicate(dst, scalar, mask, repeats, 1, 8)",
        "asc.duplicate(dst, 0.1, [low, high], repeats, stride, 8, is_set_mask=False)",
    ],
    "gather": [
        *OFFSETS,
        "asc.gather(dst, src0, offset, 0, count)",
        "asc.gather(dst, src0, offset, count, 64)",
        "asc.gather(dst, src0, offset, 32, mask, repeats, stride)",
        "asc.gather(dst, src0, src_offset=offset, src_base=0, mask=[low, high], repeat_times=2, dst_rep_stride=8)",
    ],
    "gatherb": [
        *OFFSETS,
        "asc.gatherb(dst, src0, offset, repeats, asc.GatherRepeatParams(1, stride))",
        "asc.gatherb(dst, src0, offset, 2, asc.GatherRepeatParams())",
    ],
    "brcb": [
        "asc.brcb(dst, src0, repeats, asc.BrcbRepeatParams(1, stride))",
        "asc.brcb(dst, src0, 2, asc.BrcbRepeatParams())",
    ],
    "copy": [
        "asc.copy(dst, src0, mask, repeats, asc.CopyRepeatParams(1, 1, 8, stride))",
        "asc.copy(dst, src0, [low, high], 2, asc.CopyRepeatParams(1, 1, 8, 8), is_set_mask=False)",
    ],
    "transpose": [
        "tmp = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 16384, 65536)",
        "asc.transpose(dst, src0)",
        "asc.transpose(dst, src0, tmp, asc.TransposeParamsExt(1, count, 2, 16, asc.TransposeType.TRANSPOSE_NCHW2NHWC))",
        "kind = asc.TransposeType.TRANSPOSE_NHWC2NCHW",
        "asc.transpose(dst, src0, shared_tmp_buffer=tmp, params=asc.TransposeParamsExt(transpose_type=kind))",
    ],
    "trans_data_to_5hd": [
        "rows = [src0[16 * i] for i in range(16)]",
        "columns = [dst[16 * i] for i in range(16)]",
        "asc.trans_data_to_5hd(columns, rows, asc.TransDataTo5HDParams())",
        "asc.trans_data_to_5hd(rows, [dst] * 16, asc.TransDataTo5HDParams(False, False, repeats, 16, stride))",
        "asc.trans_data_to_5hd([t.get_phy_addr() for t in columns], [2048 + 32 * i for i in range(16)], asc.TransDataTo5HDParams())",
        "table = asc.LocalTensor(asc.uint64, asc.TPosition.VECCALC, 16384, 32)",
        "asc.trans_data_to_5hd(table, table[16:], asc.TransDataTo5HDParams(True, False), dtype=asc.int8)",
    ],
    "data_copy": [
        "asc.data_copy(dst, gm, 128)",
        "asc.data_copy(gm, dst, count)",
        "asc.data_copy(dst, src0[128], count)",
        "asc.data_copy(dst, gm[count], asc.DataCopyParams(2, 3, 1, 2))",
        "asc.data_copy(gm, dst, asc.DataCopyParams(block_len=stride))",
        "asc.data_copy(dst, src0, repeat_params=asc.DataCopyParams(2, 3, stride, 2))",
        "asc.data_copy(dst, gm, asc.DataCopyParams(1, 8), asc.DataCopyEnhancedParams(asc.BlockMode.BLOCK_MODE_MATRIX, is_relu_in=True))",
        "asc.data_copy(dst, gm, asc.Nd2NzParams(1, 16, 32, 0, stride, 16, 1, 0))",
        "asc.data_copy(gm, dst, asc.Nz2NdParamsFull(1, 16, 32, 1, 16, stride, 1))",
        "asc.data_copy(dst, gm, [asc.SliceInfo(0, 31, 0, 2, 32)], [asc.SliceInfo(stride, 31, stride, 2, 64)], 1)",
        "asc.data_copy(gm, dst, 2 * [asc.SliceInfo(0, 15, 0, 1, 16)], 2 * (asc.SliceInfo(0, 15, 0, 1, 16),), dim_value=count)",
    ],
    "data_copy_pad": [
        "asc.data_copy_pad(dst, gm, asc.DataCopyExtParams(1, 40), asc.DataCopyPadExtParams(asc.float16, True, 0, 12, 0.5))",
        "asc.data_copy_pad(dst, gm[3], asc.DataCopyExtParams(2, count, stride, 1), asc.DataCopyPadExtParams(asc.float16))",
        "asc.data_copy_pad(dst, gm, asc.DataCopyExtParams(2, 6), asc.DataCopyPadExtParams(asc.float16, mask > 3, 1, repeats, scalar))",
        "asc.data_copy_pad(gm, dst, asc.DataCopyExtParams(block_len=count))",
        "asc.data_copy_pad(dst, gm, asc.DataCopyParams(1, 40), asc.DataCopyPadParams(True, 0, 12, 7))",
        "asc.data_copy_pad(gm, dst, data_copy_params=asc.DataCopyParams(2, count, stride, 0))",
    ],
    "set_pad_value": [
        "asc.set_pad_value(7)",
        "asc.set_pad_value(count, asc.TPosition.VECIN)",
        "asc.set_pad_value(0.5)",
        "asc.set_pad_value(scalar, pos=asc.TPosition.VECOUT)",
        "asc.set_pad_value(0.5, asc.float16)",
        "asc.set_pad_value(scalar, dtype=asc.bfloat16)",
    ],
    "get_block_idx": ["i = asc.get_block_idx()", "asc.data_copy(dst, gm[i * 16], count)"],
    "get_block_num": ["n = asc.get_block_num()", "asc.data_copy(dst, gm[n * 16], count)"],
    "get_sub_block_idx": ["i = asc.get_sub_block_idx()", "asc.data_copy(dst, gm[i * 16], count)"],
    "get_sub_block_num": ["n = asc.get_sub_block_num()", "asc.data_copy(dst, gm[n * 16], count)"],
    "get_task_ratio": ["n = asc.get_task_ratio()", "asc.data_copy(dst, gm[n * 16], count)"],
    "get_data_block_size_in_bytes": ["n = asc.get_data_block_size_in_bytes()", "asc.data_copy(dst, gm[n * 16], count)"],
    "ascend_is_aic": ["if asc.ascend_is_aic():", "    asc.pipe_barrier(asc.PipeID.PIPE_ALL)"],
    "ascend_is_aiv": ["if asc.ascend_is_aiv():", "    asc.data_copy(dst, gm, count)"],
    "cross_core_set_flag": [
        "asc.cross_core_set_flag(5, 0, asc.PipeID.PIPE_MTE3)",
        "asc.cross_core_set_flag(count, mode_id=2, pipe=asc.PipeID.PIPE_V)",
    ],
    "cross_core_wait_flag": [
        "asc.cross_core_wait_flag(5, 0, asc.PipeID.PIPE_MTE3)",
        "asc.cross_core_wait_flag(count, mode_id=2, pipe=asc.PipeID.PIPE_V)",
    ],
    "sync_all": ["asc.sync_all()", "asc.sync_all(is_aiv_only=False)", "asc.sync_all(gm, dst)", "asc.sync_all(gm, dst, count, False)"],
    "ib_set": ["asc.ib_set(gm, dst, 0, 1)", "asc.ib_set(gm, dst, count, event_id=mask, is_aiv_only=False)"],
    "ib_wait": ["asc.ib_wait(gm, dst, 0, 1)", "asc.ib_wait(gm, dst, count, event_id=mask, is_aiv_only=False)"],
    "wait_pre_block": ["asc.wait_pre_block(gm, dst)"],
    "notify_next_block": ["asc.notify_next_block(gm, dst)"],
    "init_soc_state": ["asc.init_soc_state()"],
    "scalar_cast": [
        "gm.set_value(0, asc.scalar_cast(scalar, asc.float16, asc.RoundMode.CAST_ODD))",
        "i = asc.scalar_cast(scalar * 2, asc.int32, asc.RoundMode.CAST_RINT)",
        "asc.data_copy(dst, gm[i], count)",
    ],
    "scalar_get_sff_value": ["i = asc.scalar_get_sff_value(low, 1)", "asc.data_copy(dst, gm[i], count)"],
    "scalar_get_count_of_value": ["i = asc.scalar_get_count_of_value(count, 0)", "asc.data_copy(dst, gm[i], count)"],
    "scalar_count_leading_zero": ["i = asc.scalar_count_leading_zero(high)", "asc.data_copy(dst, gm[i], count)"],
    "count_bits_cnt_same_as_sign_bit": ["i = asc.count_bits_cnt_same_as_sign_bit(count)", "asc.data_copy(dst, gm[i], count)"],
    "dump_tensor": [
        "asc.dump_tensor(dst, 5, 32)",
        "asc.dump_tensor(gm[count:], mask, dump_size=count)",
        "info = asc.ShapeInfo(asc.array(asc.uint32, [2, repeats]))",
        "asc.dump_tensor(dst, 5, 32, info)",
    ],
    "dump_acc_chk_point": [
        "asc.dump_acc_chk_point(dst, 5, 32, 16)",
        "asc.dump_acc_chk_point(gm, mask, count_off=count, dump_size=repeats)",
    ],
    "print_time_stamp": ["asc.print_time_stamp(65577)", "asc.print_time_stamp(desc_id=count)"],
    "metrics_prof_start": ["asc.metrics_prof_start()"],
    "metrics_prof_stop": ["asc.metrics_prof_stop()"],
    "trap": ["if count > 5:", "    asc.trap()"],
    "set_flag": ["asc.set_flag(asc.HardEvent.MTE2_V)", "asc.set_flag(asc.HardEvent.V_MTE3, 3)", "asc.set_flag(asc.HardEvent.S_V, count)"],
    "wait_flag": [
        "asc.wait_flag(asc.HardEvent.MTE2_V)",
        "asc.wait_flag(asc.HardEvent.V_MTE3, 3)",
        "asc.wait_flag(asc.HardEvent.S_V, count)",
    ],
    "pipe_barrier": [f"asc.pipe_barrier(asc.PipeID.PIPE_{pipe})" for pipe in ("V", "MTE2", "MTE3", "ALL")],
    "data_sync_barrier": [f"asc.data_sync_barrier(asc.MemDsbT.{kind})" for kind in ("ALL", "DDR", "UB", "SEQ")],
    "get_arch_version": ["n = asc.get_arch_version()", "asc.data_copy(dst, gm[n], asc.get_arch_version(count))"],
    "get_system_cycle": ["start = asc.get_system_cycle()", "asc.data_copy(dst, gm[asc.get_system_cycle() - start], count)"],
    "get_program_counter": ["n = asc.get_program_counter()", "asc.data_copy(dst, gm[n], count)"],
    **{
        f"set_atomic_{op}": [f"asc.set_atomic_{op}(asc.float16)", f"asc.set_atomic_{op}(dtype=asc.bfloat16)"]
        for op in ("add", "max", "min", "type")
    },
    "set_atomic_none": ["asc.set_atomic_none()"],
    "set_store_atomic_config": ["asc.set_store_atomic_config(asc.AtomicDtype.ATOMIC_F32, asc.AtomicOp.ATOMIC_SUM)"],
    "get_store_atomic_config": ["kind, op = asc.get_store_atomic_config()", "asc.data_copy(dst, gm[kind], op)"],
    "data_cache_clean_and_invalid": [
        "asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT, gm[count])",
        "asc.data_cache_clean_and_invalid(asc.CacheLine.ENTIRE_DATA_CACHE, gm)",
        "asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, gm, asc.DcciDst.CACHELINE_ALL)",
        "asc.data_cache_clean_and_invalid(dst=gm, entire_type=asc.CacheLine.SINGLE_CACHE_LINE, dcci_dst=asc.DcciDst.CACHELINE_UB)",
    ],
    "data_cache_preload": ["asc.data_cache_preload(gm, 64)", "asc.data_cache_preload(gm[8:], cache_offset=count)"],
    "icache_preload": ["asc.icache_preload(2)", "asc.icache_preload(pre_fetch_len=count)"],
    "get_icache_preload_status": ["busy = asc.get_icache_preload_status()", "asc.data_copy(dst, gm[busy], count)"],
    "check_local_memory_ia": ["asc.check_local_memory_ia(asc.CheckLocalMemoryIAParam(0, 3, count, is_mte_write=True, is_enable=mask > 3))"],
    "set_ctrl_spr": ["asc.set_ctrl_spr(48, 48, 0)", "asc.set_ctrl_spr(start_bit=48, end_bit=48, value=count)"],
    "get_ctrl_spr": ["bit = asc.get_ctrl_spr(48, 48)", "asc.data_copy(dst, gm[bit], count)"],
    "reset_ctrl_spr": ["asc.reset_ctrl_spr(48, 48)"],
    "set_mask_count": ["asc.set_mask_count()"],
    "set_mask_norm": ["asc.set_mask_norm()"],
    "reset_mask": ["asc.reset_mask()"],
    "set_vector_mask": [
        "asc.set_vector_mask(count, dtype=asc.float16, mode=asc.MaskMode.COUNTER)",
        "asc.set_vector_mask(64, dtype=asc.float32, mode=asc.MaskMode.NORMAL)",
        "asc.set_vector_mask(high, low, dtype=asc.float16, mode=asc.MaskMode.NORMAL)",
    ],
}

# Functions and methods that have no row.
OTHERS = {
    "get_sys_workspace": [
        "asc.set_sys_workspace(x + count)",
        "bytes = asc.GlobalTensor()",
        "bytes.set_global_buffer(asc.get_sys_workspace() + 64, 16)",
        "bytes.set_value(0, 1)",
    ],
    "get_hccl_context": [
        "asc.set_hccl_context(1, x)",
        "context = asc.get_hccl_context(1)",
        "asc.set_hccl_context(index=0, context=context)",
        "asc.set_hccl_context(count, x)",
    ],
    "set_l2_cache_hint": [
        "gm.set_l2_cache_hint()",
        "gm.set_l2_cache_hint(asc.CacheMode.CACHE_MODE_DISABLE, asc.CacheRwMode.READ)",
        "gm.set_l2_cache_hint(mode=asc.CacheMode.CACHE_MODE_PERSISTENT)",
    ],
}


def ascendc_of(name: str) -> str:
    dtype = DTYPES.get(name, "float16")
    is_float = dtype in FLOATS
    frame = FRAME.replace("DTYPE", dtype).replace("KIND", "float" if is_float else "int")
    kernel = load(frame + "".join(f"    {line}\n" for line in (CALLS | OTHERS)[name])).kernel.options(time_stamps=True)
    text = kernel.compile(np.zeros(1024, NUMPY[dtype]), 64, 64, np.uint64(1), np.uint64(1), 1, 8, 0.5 if is_float else 3).ascendc
    return re.sub(r"^\s*#line .*\n", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("name", [*CALLS, *OTHERS])
def test_text(name, golden):
    golden(Path(__file__).parent / "golden" / f"{name}.cpp", ascendc_of(name))


DECLARED = ["scalar_cast", "scalar_get_sff_value", "scalar_get_count_of_value", "scalar_count_leading_zero"]
DECLARED += [
    "count_bits_cnt_same_as_sign_bit",
    "dump_tensor",
    "dump_acc_chk_point",
    "print_time_stamp",
    "metrics_prof_start",
    "metrics_prof_stop",
]


@pytest.mark.skipif(not CLANG, reason="there is no clang++")
@pytest.mark.parametrize("name", DECLARED)
def test_text_is_cpp(name):
    run = subprocess.run([*COMMAND, Path(__file__).parent / "golden" / f"{name}.cpp"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_every_api_has_a_text():
    from pyasc._core import reference

    rows = {row["name"]: row for row in reference()["rows"] if not row["instead"]}
    assert set(rows) == set(CALLS)
    assert all(len(CALLS[name]) >= len(row["forms"]) for name, row in rows.items())
