# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The Matmul against NumPy: integers exactly; floats bit by bit against a transcription of the order of sums that matmul.h states.
import copy
import itertools
import pickle
import subprocess
from pathlib import Path

import asc
import numpy as np
import pytest
from asc.language.adv import MatmulConfig, MatmulType, TCubeTiling
from pyasc import _core
from pyasc.errors import PyascError
from support.dtypes import NUMPY, bits
from support.kernel_file import load
from test_framework import CLANG, COMMAND, without_lines

GOLDEN = Path(__file__).parent / "golden" / "Matmul.cpp"

KERNEL = """import asc

GM, ND, Type = asc.TPosition.GM, asc.CubeFormat.ND, asc.adv.MatmulType
A, B = Type(GM, ND, asc.{ab}, {ta}), Type(GM, ND, asc.{ab}, {tb})
C, BIAS = Type(GM, ND, asc.{c}), Type(GM, ND, asc.{bias})


@asc.jit(matmul_cube_only={cube})
def kernel(a: asc.GlobalAddress, b: asc.GlobalAddress, bias: asc.GlobalAddress, c: asc.GlobalAddress, work: asc.GlobalAddress,
           t: asc.adv.TCubeTiling):
    a_gm, b_gm, bias_gm, c_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    a_gm.set_global_buffer(a, t.m * t.k_a)
    b_gm.set_global_buffer(b, t.k_b * t.n)
    bias_gm.set_global_buffer(bias, t.n)
    c_gm.set_global_buffer(c)
    pipe = asc.TPipe()
    mm = asc.adv.Matmul(A, B, C, BIAS{config})
    asc.adv.register_matmul(pipe, work, mm, t)
    core = asc.get_block_idx()
    if core < t.used_core_num:
        down = asc.ceildiv(t.m, t.single_core_m)
        row, column = core % down * t.single_core_m, core // down * t.single_core_n
        mm.set_tail(min(t.single_core_m, t.m - row), min(t.single_core_n, t.n - column))
        mm.set_tensor_a(a_gm[row if {ta} else row * t.k_a], {ta})
        mm.set_tensor_b(b_gm[column * t.k_b if {tb} else column], {tb})
        if t.is_bias:
            mm.set_bias(bias_gm[column])
        result = c_gm[row * t.n + column]
        {store}
    mm.end()
"""
LOOP = """with mm.iterate() as i:
            mm.get_tensor_c(result)"""


def kernel_of(ab="float16", c="float32", bias="float32", ta=False, tb=False, cube=False, config="", store=LOOP):
    return load(KERNEL.format(ab=ab, c=c, bias=bias, ta=ta, tb=tb, cube=cube, config=config, store=store)).kernel


def tiling(m, n, k, base, single=None, **fields):
    single = single or (m, n)
    cores = -(-m // single[0]) * -(-n // single[1])
    values = {"step_m": 1, "step_n": 1, "depth_a1": 1, "depth_b1": 1, "step_k_a": 1, "step_k_b": 1, "db_l0a": 2, "db_l0b": 2, "db_l0c": 1}
    values |= {"m": m, "n": n, "k_a": k, "k_b": k, "single_core_m": single[0], "single_core_n": single[1], "single_core_k": k}
    values |= {"base_m": base[0], "base_n": base[1], "base_k": base[2], "used_core_num": cores}
    return TCubeTiling(**(values | fields))


def matrices(ab, c, bias, m, n, k, ta=False, tb=False, seed=0):
    """A, B and the bias as they lie in memory, and as they are."""
    rng = np.random.default_rng(seed)

    def some(shape, dtype):
        if dtype in ("int8", "int32"):
            return rng.integers(-128, 128, shape).astype(NUMPY[dtype])
        return rng.standard_normal(shape).astype(NUMPY[dtype])

    a, b, v = some((m, k), ab), some((k, n), ab), some(n, bias)
    return (np.ascontiguousarray(a.T if ta else a), np.ascontiguousarray(b.T if tb else b), v), (a, b, v)


def product(a, b, bias, c):
    """A B + bias: the products of 32 bytes of K in float64, rounded to float32; then to the type of C."""
    if a.dtype == np.int8:
        return (a.astype(np.int64) @ b.astype(np.int64) + bias).astype(np.int32)
    sums = np.broadcast_to(bias.astype(np.float32), (a.shape[0], b.shape[1]))
    wide_a, wide_b, width = a.astype(np.float64), b.astype(np.float64), 32 // a.dtype.itemsize
    for start in range(0, a.shape[1], width):
        wide = sums.astype(np.float64)
        for p in range(start, min(start + width, a.shape[1])):
            wide = wide + wide_a[:, p, None] * wide_b[p]
        sums = wide.astype(np.float32)
    return sums.astype(NUMPY[c])


def check(kernel, blocks, t, ab, c, bias, ta=False, tb=False, with_bias=False):
    (a, b, v), values = matrices(ab, c, bias, t.m, t.n, t.k_a, ta, tb)
    t.is_bias = int(with_bias)
    out = np.full((t.m, t.n), 7, NUMPY[c])
    kernel[blocks](a, b, v, out, np.zeros(64, np.uint8), t)
    want = product(*values[:2], values[2] if with_bias else np.zeros(t.n, NUMPY[bias]), c)
    np.testing.assert_array_equal(bits(out), bits(want))


TYPES = [
    ("int8", "int32", "int32"),
    ("float16", "float32", "float32"),
    ("float16", "float16", "float16"),
    ("float16", "float32", "float16"),
]
TYPES += [(ab, c, "float32") for ab in ("bfloat16", "float32") for c in ("float32", "float16", "bfloat16")]


@pytest.mark.parametrize(("ab", "c", "bias"), TYPES)
def test_types(ab, c, bias):
    for ta, tb in itertools.product((False, True), repeat=2):
        kernel = kernel_of(ab, c, bias, ta, tb)
        for with_bias in (False, True):
            check(kernel, 1, tiling(37, 45, 83, (16, 32, 32)), ab, c, bias, ta, tb, with_bias)


@pytest.mark.parametrize("store", [LOOP, "mm.iterate_all(result)", "mm.iterate_all(result, en_sequential_write=False)"])
@pytest.mark.parametrize("cube", [False, True])
def test_tilings_and_cores(store, cube):
    kernel = kernel_of(store=store, cube=cube)
    assert ("AIC_ONLY" if cube else "MIX_AIC_1_2") in kernel.compile(*[np.zeros(64, t) for t in "eeffB"], TCubeTiling).ascendc
    for m, n, k, base, single in [
        (16, 16, 16, (16, 16, 16), None),
        (1, 1, 1, (16, 16, 16), None),
        (100, 70, 40, (32, 16, 16), (50, 40)),
        (64, 64, 128, (64, 64, 64), (16, 32)),
        (130, 33, 65, (48, 32, 32), (128, 32)),
    ]:
        t = tiling(m, n, k, base, single)
        check(kernel, t.used_core_num if cube else -(-t.used_core_num // 2), t, "float16", "float32", "float32", with_bias=True)


def groups(rows, columns, step_m, step_n, rows_first):
    """The blocks in the order of the specification."""
    if rows_first:
        return [(m, n) for g in range(0, columns, step_n) for m in range(rows) for n in range(g, min(g + step_n, columns))]
    return [(m, n) for g in range(0, rows, step_m) for n in range(columns) for m in range(g, min(g + step_m, rows))]


@pytest.mark.parametrize("config", ["", "ORDER_M", "ORDER_N"])
@pytest.mark.parametrize(("step_m", "step_n", "order"), [(1, 1, 0), (1, 1, 1), (2, 2, 0), (2, 3, 1), (3, 5, 1), (4, 3, 0)])
def test_the_order_of_blocks(config, step_m, step_n, order):
    m, n, k, base = 70, 100, 20, (16, 32, 16)
    rows, columns = 5, 4
    text = f", matmul_config=asc.adv.MatmulConfig(iterate_order=asc.IterateOrder.{config})" if config else ""
    packed = "with mm.iterate() as i:\n            mm.get_tensor_c(c_gm[i * 512], 0, True)"
    t = tiling(m, n, k, base, step_m=step_m, step_n=step_n, iterate_order=order)
    (a, b, v), _ = matrices("float16", "float32", "float32", m, n, k)
    whole = product(a, b, np.zeros(n, np.float32), "float32")
    want = np.full((rows * columns, 512), 7, np.float32)
    for i, (row, column) in enumerate(groups(rows, columns, step_m, step_n, config == "ORDER_M" or (config == "" and order == 0))):
        block = whole[row * 16 : row * 16 + 16, column * 32 : column * 32 + 32].ravel()
        want[i, : len(block)] = block
    for store in (packed, "mm.iterate_all(c_gm, en_sequential_write=True)"):
        out = np.full((rows * columns, 512), 7, np.float32)
        kernel_of(store=store, config=text)[1](a, b, v, out, np.zeros(64, np.uint8), t)
        np.testing.assert_array_equal(out, want)


@pytest.mark.parametrize(("atomic", "combine"), [(1, np.add), (2, np.maximum), (3, np.minimum)])
@pytest.mark.parametrize(("ab", "c", "bias"), [TYPES[0], TYPES[1], TYPES[2]])
def test_atomic_results(atomic, combine, ab, c, bias):
    """By both calls, one after the other."""
    store = f"""mm.iterate_all(c_gm, {atomic})
        mm.set_tensor_a(a_gm)
        with mm.iterate() as i:
            mm.get_tensor_c(c_gm, {atomic})"""
    kernel = kernel_of(ab, c, bias, store=store)
    t = tiling(32, 16, 24, (16, 16, 32))
    (a, b, v), values = matrices(ab, c, bias, 32, 16, 24)
    old = (np.arange(512) % 50 - 25).reshape(32, 16).astype(NUMPY[c])
    out = old.copy()
    kernel[1](a, b, v, out, np.zeros(64, np.uint8), t)
    want = product(*values[:2], np.zeros(16, NUMPY[bias]), c)
    np.testing.assert_array_equal(out, combine(combine(old, want), want))


def test_atomic_sums_of_two_cores():
    store = "mm.iterate_all(c_gm, 1)"
    kernel = kernel_of(store=store)
    (a, b, v), values = matrices("float16", "float32", "float32", 32, 16, 24)
    both = np.concatenate([a, a])
    out = np.zeros((64, 16), np.float32)
    t = tiling(64, 16, 24, (16, 16, 16), (32, 16))
    kernel[1](both, b, v, out, np.zeros(64, np.uint8), t)
    want = product(*values[:2], np.zeros(16, np.float32), "float32")
    np.testing.assert_array_equal(out[:32], want + want)
    assert not out[32:].any()


def test_partial_sums():
    """K in two halves, the second one added in L0C; the bias counts once."""
    store = """mm.set_single_shape(t.m, t.n, 32)
        with mm.iterate() as i:
            pass
        mm.set_tensor_a(a_gm[32])
        mm.set_tensor_b(b_gm[32 * t.n])
        with mm.iterate(True) as i:
            mm.get_tensor_c(result)"""
    check(kernel_of(store=store), 1, tiling(16, 32, 64, (16, 32, 16)), "float16", "float32", "float32", with_bias=True)


def test_setters():
    """The parts of matrices that are larger in memory, one after the other, with and without a bias."""
    store = """mm.disable_bias()
        mm.set_org_shape(t.m, t.n, t.k_a, t.k_b, 40)
        mm.set_single_shape(10, 20, 30)
        mm.set_tensor_a(a_gm[3 * t.k_a])
        mm.iterate_all(c_gm)
        mm.set_tail(tail_n=7)
        mm.set_bias(bias_gm)
        mm.set_tensor_b(b_gm[5])
        mm.iterate_all(c_gm[400])
        mm.init(t)
        mm.set_tensor_a(a_gm)
        mm.set_tensor_b(b_gm)
        mm.iterate_all(c_gm[1000])"""
    t = tiling(20, 40, 50, (16, 32, 16), is_bias=1)
    (a, b, v), _ = matrices("float16", "float32", "float32", 20, 40, 50)
    out, want = np.full(1800, 7, np.float32), np.full(1800, 7, np.float32)
    kernel_of(store=store)[1](a, b, v, out, np.zeros(64, np.uint8), t)
    want[:400].reshape(10, 40)[:, :20] = product(a[3:13, :30], b[:30, :20], np.zeros(20, np.float32), "float32")
    want[400:800].reshape(10, 40)[:, :7] = product(a[3:13, :30], b[:30, 5:12], v[:7], "float32")
    want[1000:].reshape(20, 40)[:] = product(a, b, v, "float32")
    np.testing.assert_array_equal(out, want)


def test_special_numbers():
    """Inf, NaN, subnormals, and results that float16 cannot hold."""
    kernel = kernel_of(c="float16", store="mm.iterate_all(result)")
    a, b = np.zeros((16, 16), np.float16), np.eye(16, dtype=np.float16)
    a[0, :6] = [np.inf, -np.inf, np.nan, 65504, 6e-8, -0.0]
    b[3, 3] = 2
    out = np.zeros((16, 16), np.float16)
    kernel[1](
        a, np.where(b == 0, np.float16(0), b), np.zeros(16, np.float32), out, np.zeros(64, np.uint8), tiling(16, 16, 16, (16, 16, 16))
    )
    assert np.isnan(out[0]).all()  # 0 * inf
    a[0, :3] = 0
    kernel[1](a, b, np.zeros(16, np.float32), out, np.zeros(64, np.uint8), tiling(16, 16, 16, (16, 16, 16)))
    np.testing.assert_array_equal(out[0, 3:5], np.array([np.inf, 6e-8], np.float16))


def test_names_survive_the_loop():
    store = """with mm.iterate() as i:
            v = i + 2
            for j in range(3):
                if j == 1:
                    continue
                v += 1
        c_gm.set_value(0, v)
        c_gm.set_value(1, i)"""
    (a, b, v), _ = matrices("int8", "int32", "int32", 48, 16, 32)
    out = np.zeros((48, 16), np.int32)
    kernel_of("int8", "int32", "int32", store=store)[1](a, b, v, out, np.zeros(64, np.uint8), tiling(48, 16, 32, (16, 16, 32)))
    assert out[0, :2].tolist() == [6, 2]


def test_vectors_go_on_with_the_result():
    """What S issues after a call finds its result; what is copied out before has to be complete."""
    store = """one = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 256)
        mm.iterate_all(c_gm)
        asc.data_copy(one, c_gm, 256)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.adds(one, one, 1.0, 256)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(c_gm, one, 256)
        {wait}
        mm.set_tensor_a(c_gm)
        mm.iterate_all(c_gm[256])"""
    a, b = np.arange(256, dtype=np.float32).reshape(16, 16), np.eye(16, dtype=np.float32)
    t, work = tiling(16, 16, 16, (16, 16, 16)), np.zeros(64, np.uint8)
    for check_mode in (True, "adversarial"):
        kernel = kernel_of("float32", store=store.format(wait="asc.pipe_barrier(asc.PipeID.PIPE_ALL)")).options(check=check_mode)
        out = np.zeros((32, 16), np.float32)
        kernel[1](a, b, np.zeros(16, np.float32), out, work, t)
        np.testing.assert_array_equal(out, np.concatenate([a + 1, a + 1]))
    with pytest.raises(PyascError) as caught:
        kernel_of("float32", store=store.format(wait="pass"))[1](a, b, np.zeros(16, np.float32), np.zeros((32, 16), np.float32), work, t)
    assert caught.value.code == "S301" and "A of mm" in str(caught.value)


def test_cores_that_store_the_same_bytes_race():
    kernel = kernel_of(store="mm.iterate_all(c_gm)")
    (a, b, v), _ = matrices("float16", "float32", "float32", 32, 16, 16)
    with pytest.raises(PyascError) as caught:
        kernel[1](a, b, v, np.zeros((32, 16), np.float32), np.zeros(64, np.uint8), tiling(32, 16, 16, (16, 16, 16), (16, 16)))
    assert caught.value.code == "S303" and "C of mm" in str(caught.value)


def refused(code, words="", store="mm.iterate_all(result)", t=None, blocks=1, **changed):
    t = t or tiling(32, 16, 16, (16, 16, 16))
    (a, b, v), _ = matrices("float16", "float32", "float32", 32, 16, 16)
    with pytest.raises(PyascError) as caught:
        kernel_of(store=store, **changed)[blocks](a, b, v, np.zeros((32, 16), np.float32), np.zeros(64, np.uint8), t)
    assert caught.value.code == code and words in str(caught.value), caught.value


@pytest.mark.parametrize(
    ("store", "words"),
    [
        ("mm.get_tensor_c(result)", "without a block"),
        ("with mm.iterate() as i:\n            mm.get_tensor_c(result)\n            mm.get_tensor_c(result)", "without a block"),
        ("mm.iterate_all(result)\n        mm.iterate_all(result)", "after blocks were computed"),
        ("with mm.iterate():\n            pass\n        with mm.iterate():\n            pass", "has been through all blocks"),
        ("with mm.iterate(True):\n            pass", "adds to a block before"),
        ("mm.iterate_all(result, t.m)", "en_atomic is 32"),
        ("mm.end()\n        mm.set_tensor_a(a_gm)", "before it is registered"),
        ("mm.end()\n        with mm.iterate():\n            pass", "registered with a tiling"),
        ("asc.adv.register_matmul(pipe, work, mm)\n        mm.set_tensor_a(a_gm)", "has no tiling"),
        ("asc.adv.register_matmul(pipe, work, mm, t)\n        mm.set_tensor_b(b_gm)\n        mm.iterate_all(result)", "has no A"),
        ("mm.set_tensor_a(a_gm, t.m == 32)", "is transposed"),
        ("pipe.init_buffer(asc.TBuf(asc.TPosition.VECCALC), 512)\n        asc.adv.register_matmul(pipe, work, mm)", "after a buffer"),
    ],
)
def test_calls_in_a_wrong_order(store, words):
    refused("Q121", words, store)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"base_m": 24}, "multiples of 16"),
        ({"base_k": 24}, "a multiple of 16 for float16"),
        ({"single_core_k": 0}, "single_core_k is 0"),
        ({"step_n": -1}, "step_n is -1"),
        ({"base_m": 16, "base_k": 4096}, "L0A has 65536 bytes"),
        ({"base_n": 256, "base_k": 128}, "L0B has 65536 bytes"),
        ({"base_m": 256, "base_n": 256}, "L0C has 131072 bytes"),
        ({"base_n": 272, "is_bias": 1}, "256 at most"),
        ({"share_l1_size": 2**20}, "share_l1_size"),
        ({"single_core_m": 2**30}, "a size is 1073741824"),
    ],
)
def test_tilings_that_do_not_work(fields, words):
    t = tiling(32, 16, 16, (16, 16, 16), **fields)
    refused("Q122", words, t=t)


@pytest.mark.parametrize(
    ("store", "words"),
    [
        ("mm.set_single_shape(33, 16, 16)", "m = 33, expected 1 to 32"),
        ("mm.set_tail(tail_k=0)", "k = 0"),
        ("mm.set_org_shape(32, 16, 0)", "not positive"),
        ("mm.set_org_shape(32, 16, 17)\n        mm.iterate_all(result)", "A of mm has 512 elements, and the shapes need 543"),
        ("mm.set_tensor_b(b_gm[1])\n        mm.iterate_all(result)", "B of mm has 255 elements, and the shapes need 256"),
        ("mm.set_bias(bias_gm[8])\n        mm.iterate_all(result)", "the bias of mm has 8 elements, and the shapes need 16"),
        ("c_gm.set_global_buffer(c, 500)\n        mm.iterate_all(c_gm)", "C of mm has 500 elements, and the shapes need 512"),
    ],
)
def test_matrices_that_are_too_small(store, words):
    refused("Q123", words, store)
    refused("M101", "C of mm reaches outside the array of c", "mm.iterate_all(c_gm[1])")


def test_calls_that_do_not_compile():
    for call in [
        "iterate(sync=False)",
        "get_tensor_c(result, sync=False)",
        "iterate_all(result, sync=False)",
        "set_hf32(True)",
        "get_offset_c()",
    ]:
        refused("T351", store=f"mm.{call}")
    refused("T351", store="mm.set_tensor_a(3)")
    refused("T351", store="mm.set_tensor_a(asc.LocalTensor(asc.float16, asc.TPosition.VECOUT, 0, 64))")
    refused("T351", config=", matmul_policy=1")
    refused("T351", "do_special_mdl", config=", matmul_config=asc.adv.MatmulConfig(do_special_mdl=True)")
    refused("T352", c="int32")
    refused("T352", store="mm.set_bias(a_gm)")
    refused("T353", store="mm.set_tensor_b(b_gm, True)")
    refused("T103", store="mm.iterate_all(result, 4)")
    refused("T103", config=", matmul_config=3")
    for leaving in ("break", "continue", "return"):
        refused("L317", store=f"for j in range(t.m):\n            with mm.iterate() as i:\n                {leaving}")
    refused("L317", store="with mm.iterate() as i, mm.iterate() as j:\n            pass")
    refused("L317", store="while mm.iterate():\n            pass")


def test_every_other_method_is_refused():
    cls = next(cls for cls in _core.reference()["classes"] if cls["name"] == "Matmul")
    others = [method for method in cls["methods"] if method["doc"].startswith("Not supported")]
    assert len(others) == 16
    for method in others:
        names = [name for name in method["signature"].split(", ") if name and "=" not in name]
        refused("T351", method["name"], store=f"mm.{method['name']}({', '.join('0' for _ in names)})")


def test_inserted_barriers():
    kernel = kernel_of(store="mm.iterate_all(result)", cube="False, insert_sync=True")
    kernel_inserted = kernel.compile(*[np.zeros(64, t) for t in "eeffB"], TCubeTiling).inserted_sync
    assert [line.partition(":")[0] for line in kernel_inserted] == ["pipe_barrier(ALL)"]


def test_values():
    one = MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, asc.float16)
    same = MatmulType(position=asc.TPosition.GM, format=asc.CubeFormat.ND, dtype=asc.float16, is_trans=False)
    assert one == same and hash(one) == hash(same) and one != MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, asc.float16, True)
    assert copy.copy(one) == one and "float16" in repr(one)
    with pytest.raises(AttributeError):
        one.dtype = asc.float32
    config = MatmulConfig(True, iterate_order=asc.IterateOrder.ORDER_N)
    assert config.changed() == ["iterate_order"] and pickle.loads(pickle.dumps(config)) == config
    for wrong in ({"order": 1}, {"do_norm": True}):
        with pytest.raises(TypeError):
            MatmulConfig(True, **wrong)


def test_time():
    """Twice as much along each axis takes longer; the cube's part is counted in pieces of 16 x 16 x 32 bytes."""
    kernel, cycles = kernel_of(store="mm.iterate_all(result)"), []
    for size in (64, 128, 256):
        t = tiling(size, size, size, (64, 64, 64))
        (a, b, v), _ = matrices("float16", "float32", "float32", size, size, size)
        kernel[1](a, b, v, np.zeros((size, size), np.float32), np.zeros(64, np.uint8), t)
        cycles.append(kernel.last_launch.cycles)
    assert cycles == sorted(set(cycles)) and kernel.last_launch.pipes["FIX"][1] == 2


TEXT = """import asc

GM, ND, Type = asc.TPosition.GM, asc.CubeFormat.ND, asc.adv.MatmulType


@asc.jit
def part(mm: asc.adv.Matmul, c, n):
    mm.set_org_shape(n, n, n)
    mm.set_org_shape(64, 64, 64, n, org_kc=n)
    mm.set_single_shape(16, n, 16)
    mm.set_tail(tail_n=n)
    mm.iterate_all(c)


@asc.jit
def kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, work: asc.GlobalAddress, t: asc.adv.TCubeTiling, n: int):
    a, c = asc.GlobalTensor(), asc.GlobalTensor()
    a.set_global_buffer(x, 4096)
    c.set_global_buffer(y, 4096)
    pipe = asc.TPipe()
    half, single = Type(GM, ND, asc.float16), Type(GM, ND, asc.float32)
    mm = asc.adv.Matmul(half, Type(GM, ND, asc.float16, is_trans=True), single)
    other = asc.adv.Matmul(half, half, single, single, asc.adv.MatmulConfig(iterate_order=asc.IterateOrder.ORDER_N))
    asc.adv.register_matmul(pipe, work, mm, t)
    asc.adv.register_matmul(pipe, work + n, matmul=other)
    other.init(t)
    mm.set_tensor_a(a)
    mm.set_tensor_b(a[n], n > 3)
    mm.set_bias(c)
    with mm.iterate() as i:
        mm.get_tensor_c(c[i * n], 1, True)
    mm.disable_bias()
    total = 0
    with other.iterate(True):
        other.GetTensorC(c, n, n > 5)
        total += n
    c.set_value(0, total)
    part(other, c, n)
    mm.iterate_all(c, n, en_sequential_write=True)
    mm.end()
"""


def test_text(golden):
    text = load(TEXT).kernel.compile(np.zeros(64, np.float16), np.zeros(64, np.float32), np.zeros(64, np.uint8), TCubeTiling, 3).ascendc
    golden(GOLDEN, without_lines(text))
    cls = next(cls for cls in _core.reference()["classes"] if cls["name"] == "Matmul")
    methods = {method["ascendc"] for method in cls["methods"] if not method["doc"].startswith("Not supported")}
    assert {method for method in methods if f".{method}(" not in text} == set()


@pytest.mark.skipif(not CLANG, reason="there is no clang++")
def test_text_is_cpp():
    done = subprocess.run([*COMMAND, GOLDEN], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
