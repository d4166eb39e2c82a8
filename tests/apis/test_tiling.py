# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Structures that headers of Ascend C define: TCubeTiling, whose fields are those of the specification in its order, and the user's own.
import struct
import subprocess
from pathlib import Path

import asc
import numpy as np
import pytest
from asc.language.adv import tiling
from asc.language.core.struct import Field, Struct, StructField
from pyasc.errors import PyascError
from support.kernel_file import load
from support.python_kernel import define, kernel_of, refused, run
from test_framework import CLANG, COMMAND, without_lines

GOLDEN = Path(__file__).parent / "golden" / "TCubeTiling.cpp"
FIELDS = """
used_core_num m n k_a k_b single_core_m single_core_n single_core_k base_m base_n base_k depth_a1 depth_b1 step_m step_n is_bias
trans_length iterate_order share_mode share_l1_size share_l0c_size share_ub_size batch_m batch_n single_batch_m single_batch_n step_k_a
step_k_b depth_a_l1_cache_ub depth_b_l1_cache_ub db_l0a db_l0b db_l0c a_layout_info_b a_layout_info_s a_layout_info_n a_layout_info_g
a_layout_info_d b_layout_info_b b_layout_info_s b_layout_info_n b_layout_info_g b_layout_info_d c_layout_info_b c_layout_info_s1
c_layout_info_n c_layout_info_g c_layout_info_s2 batch_num mx_type_para
""".split()

KERNEL = """import asc


@asc.jit
def take(tiling: asc.adv.TCubeTiling, n):
    tiling.share_l1_size = n


@asc.jit
def kernel(out: asc.GlobalAddress, p: asc.adv.TCubeTiling, n: int):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(out, 8)
    gm.set_value(0, p.m * 100 + p.k_a)
    take(p, n)
    p.trans_length += 3
    gm.set_value(1, p.share_l1_size)
    gm.set_value(2, p.trans_length)
    own = asc.adv.TCubeTiling(4, 64, n, batch_num=2)
    own.c_layout_info_s1 = own.n + own.used_core_num
    gm.set_value(3, own.c_layout_info_s1 * 1000 + own.batch_num)
    gm.set_value(4, p.mx_type_para)
"""


def test_the_fields():
    assert tiling.TCubeTiling is asc.adv.TCubeTiling is asc.language.adv.TCubeTiling
    one = asc.adv.TCubeTiling(**{name: number for number, name in enumerate(FIELDS, 1)})
    assert list(one.__dict__) == FIELDS and one == asc.adv.TCubeTiling(*range(1, 51))
    assert one.pack() == struct.pack("50i", *range(1, 51))
    assert asc.adv.TCubeTiling().pack() == bytes(200)
    for wrong, code in [({"k": 1}, "K151"), ({"m": 2**31}, "K123"), ({"m": 0.5}, "K120")]:
        with pytest.raises(PyascError) as caught:
            asc.adv.TCubeTiling(**wrong)
        assert caught.value.code == code
    for values, named in [(range(51), {}), ([1, 2], {"m": 2})]:
        with pytest.raises(PyascError, match="K151"):
            asc.adv.TCubeTiling(*values, **named)


def test_in_a_kernel():
    out, p = np.zeros(8, np.int32), asc.adv.TCubeTiling(m=16, k_a=8, trans_length=5, mx_type_para=-7)
    load(KERNEL).kernel[1](out, p, 24)
    assert out.tolist() == [1608, 24, 8, 28002, -7, 0, 0, 0]
    assert (p.share_l1_size, p.trans_length) == (0, 5)  # the kernel has a copy
    refused("p = asc.adv.TCubeTiling(1, used_core_num=2)  # here", "L401")
    refused("p = asc.adv.TCubeTiling(*[0] * 51)  # here", "L401")
    refused("p = asc.adv.TCubeTiling(n=2**31)  # here", "T101")


def test_text(golden):
    golden(GOLDEN, without_lines(load(KERNEL).kernel.compile(np.zeros(8, np.int32), asc.adv.TCubeTiling, 1).ascendc))


@pytest.mark.skipif(not CLANG, reason="there is no clang++")
def test_text_is_cpp():
    done = subprocess.run([*COMMAND, GOLDEN], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


class Pair(Struct, header="pairs.h"):
    left = Field(asc.int32, 1)
    right = Field(asc.int32, 2)


class Both(Struct):
    pair = StructField(Pair)
    tiling = StructField(asc.adv.TCubeTiling)


class More(Pair):
    third = Field(asc.int32, 3)


def test_headers():
    text = """
    both, more = Both(), More(n)
    both.pair.left = n
    g.set_value(0, both.pair.left + both.tiling.m + more.third + more.left)
    """
    kernel = kernel_of(text, "n: int", Both=Both, More=More)
    assert run(kernel, 4)[0] == 11
    text = kernel.compile(np.zeros(64, np.int32), 4).ascendc
    assert '#include "kernel_operator.h"\n#include "lib/matmul_intf.h"\n#include "pairs.h"\n\n' in text
    assert "struct Pair {" not in text and "struct TCubeTiling {" not in text and "  Pair pair;\n  TCubeTiling tiling;\n" in text
    assert "struct More {" in text  # the header knows nothing of what inherits


def test_a_function_does_not_take_the_name_of_a_header():
    kernel = define(
        """
        @asc.jit
        def Pair(p):
            return p.left + p.right

        @asc.jit
        def kernel(out: asc.GlobalAddress, p: Kind):
            g = asc.GlobalTensor()
            g.set_global_buffer(out, 8)
            g.set_value(0, Pair(p))
        """,
        "kernel",
        Kind=Pair,
    )
    out = np.zeros(8, np.int32)
    kernel[1](out, Pair(3, 4))
    assert out[0] == 7
    text = kernel.compile(out, Pair).ascendc
    assert "int32_t Pair_1(Pair" in text and "\n  Pair p;" in text


def test_another_header_is_another_kernel():
    def make(header):
        return type("P", (Struct,), {"x": Field(asc.int32, 0)}, header=header)

    texts = [kernel_of("g.set_value(0, p.x)", "p").compile(np.zeros(64, np.int32), make(h)).ascendc for h in ("", "a.h", "b.h")]
    assert ["struct P {" in text for text in texts] == [True, False, False]
    assert ['"a.h"' in text for text in texts] == [False, True, False]
    for wrong in (3, 'a"b', "a\nb"):
        with pytest.raises(PyascError, match="K151"):
            make(wrong)
