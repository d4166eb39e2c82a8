# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The examples on any size, dtype, number of cores and of buffers that they take: NumPy's results, nothing else written, and clean under
# all checks. All examples in adversarial mode; tests/docs runs them as they are.
import re
import runpy
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.kernel_file import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FRAMEWORK = runpy.run_path(str(EXAMPLES / "02_add_framework.py"))
TAILS = runpy.run_path(str(EXAMPLES / "03_tails.py"))
ATOMIC = runpy.run_path(str(EXAMPLES / "12_atomic_sum.py"))
SOFTMAX = runpy.run_path(str(EXAMPLES / "06_softmax.py"))
TOP_K = runpy.run_path(str(EXAMPLES / "07_top_k.py"))
GELU = runpy.run_path(str(EXAMPLES / "05_gelu.py"))
EMBEDDING, TRANSPOSE, RMS_NORM = (runpy.run_path(str(EXAMPLES / name)) for name in ("08_embedding.py", "09_transpose.py", "10_rms_norm.py"))
LAYER_NORM = runpy.run_path(str(EXAMPLES / "13_layer_norm.py"))
FLOATS = st.sampled_from([np.float16, ml_dtypes.bfloat16, np.float32])
GUARD = 64  # elements behind the result that must stay


def arrays(dtype, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Any bits but those of infinities and NaN: sums may overflow."""
    rng = np.random.default_rng(seed)
    x, y = (rng.integers(0, 256, n * np.dtype(dtype).itemsize, dtype=np.uint8).view(dtype) for _ in range(2))
    if np.issubdtype(dtype, np.floating):
        x, y = (np.where(np.isfinite(a), a, dtype(1)) for a in (x, y))
    return x, y


def sums(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return x + y


def assert_same_bits(got: np.ndarray, want: np.ndarray) -> None:
    np.testing.assert_array_equal(got.view(np.uint8), want.view(np.uint8))


@given(tiles=st.integers(0, 3), cores=st.integers(1, 12), buffers=st.integers(1, 4), seed=st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_framework(tiles, cores, buffers, seed):
    n = tiles * cores * FRAMEWORK["TILE"]
    x, y = arrays(np.float32, n, seed)
    z = np.full(n + GUARD, 7, np.float32)
    FRAMEWORK["add"][cores](x, y, z, n, buffers)
    assert_same_bits(z[:n], sums(x, y))
    assert (z[n:] == 7).all()


@given(
    dtype=st.sampled_from([np.float16, np.float32, np.int16, np.int32]),
    n=st.one_of(st.integers(0, 70), st.integers(1, 40_000), st.sampled_from([4096, 8192, 8193, 65_536])),
    cores=st.integers(1, 48),
    buffers=st.integers(1, 4),
    seed=st.integers(0, 99),
)
@settings(max_examples=100, deadline=None)
def test_tails(dtype, n, cores, buffers, seed):
    x, y = arrays(dtype, n, seed)
    z = np.full(n + GUARD, 7, dtype)
    TAILS["add"][cores](x, y, z, n, buffers)
    assert_same_bits(z[:n], sums(x, y))
    assert (z[n:] == 7).all()


@given(
    dtype=FLOATS,
    rows=st.integers(1, 9),
    n=st.one_of(st.integers(1, 300), st.sampled_from([4096, 8191, 8192, 8193, 20_000])),
    cores=st.integers(1, 12),
    seed=st.integers(0, 99),
)
@settings(max_examples=30, deadline=None)
def test_softmax(dtype, rows, n, cores, seed):
    """Against float64, with the error that the lesson states."""
    x = (np.random.default_rng(seed).standard_normal((rows, n)) * 3).astype(dtype)
    relative, absolute = SOFTMAX["ERROR"][dtype]
    got = SOFTMAX["run"](x, cores).astype(np.float64)
    np.testing.assert_allclose(got, SOFTMAX["reference"](x), relative, absolute)


@given(
    dtype=FLOATS,
    rows=st.integers(1, 5),
    n=st.one_of(st.integers(1, 100), st.integers(1, 3000), st.sampled_from([1024, 2048, 2049])),
    k=st.integers(1, 512),
    cores=st.integers(1, 6),
    few=st.booleans(),
    seed=st.integers(0, 99),
)
@settings(max_examples=30, deadline=None)
def test_top_k(dtype, rows, n, k, cores, few, seed):
    """Exactly those of a stable sort, also among many equal elements."""
    rng, k = np.random.default_rng(seed), min(k, n)
    x = rng.integers(0, 5, (rows, n)).astype(dtype) if few else rng.standard_normal((rows, n)).astype(dtype)
    for got, want in zip(TOP_K["run"](x, k, cores), TOP_K["reference"](x, k), strict=True):
        np.testing.assert_array_equal(got, want)


@given(
    dtype=FLOATS,
    n=st.one_of(st.integers(0, 70), st.integers(1, 20_000), st.sampled_from([8192, 8193, 65_536])),
    cores=st.integers(1, 48),
    scale=st.sampled_from([1e-6, 1.0, 5.0, 100.0, 3e4]),
    seed=st.integers(0, 99),
)
@settings(max_examples=60, deadline=None)
def test_gelu(dtype, n, cores, scale, seed):
    x = np.clip(np.random.default_rng(seed).standard_normal(n) * scale, -6e4, 6e4).astype(dtype)
    z = np.full(n + GUARD, 7, dtype)
    GELU["gelu"][cores](x, z, n)
    assert (abs(z[:n].astype(np.float64) - GELU["reference"](x)) <= GELU["error_bound"](x)).all()
    assert (z[n:] == 7).all()


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_gelu_of_all_16_bits(dtype):
    x = np.arange(65536, dtype=np.uint16).view(dtype)
    with np.errstate(invalid="ignore"):  # NumPy complains about signalling NaN
        x = x[np.isfinite(x)]
    assert (abs(GELU["run"](x).astype(np.float64) - GELU["reference"](x)) <= GELU["error_bound"](x)).all()


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_in_adversarial_mode(path):
    """The examples check their results, and a finding is an error."""
    source = re.sub(r"^@asc\.jit$", "@asc.jit()", path.read_text(), flags=re.MULTILINE)
    load(source.replace("@asc.jit(", '@asc.jit(check="adversarial", ')).main()


@pytest.mark.parametrize("buffers", [1, 2, 3])
def test_queues_in_adversarial_mode(buffers):
    """With several buffers a flag is set again before the last wait is known to have passed."""
    for seed in range(10):
        n = 5 * 2 * FRAMEWORK["TILE"]
        x, y = arrays(np.float32, n, seed)
        z = np.empty_like(x)
        FRAMEWORK["add"].options(check="adversarial", seed=seed)[2](x, y, z, n, buffers)
        assert_same_bits(z, sums(x, y))


def bit_patterns(dtype, shape, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 256, (*shape[:-1], shape[-1] * np.dtype(dtype).itemsize), dtype=np.uint8).view(dtype)


@given(
    dtype=FLOATS,
    width=st.sampled_from([1, 7, 16, 100, 1024, 20_000]),
    n=st.one_of(st.integers(0, 40), st.sampled_from([700])),
    cores=st.integers(1, 12),
    seed=st.integers(0, 99),
)
@settings(max_examples=25, deadline=None)
def test_embedding(dtype, width, n, cores, seed):
    n = min(n, 200_000 // width)
    table = bit_patterns(dtype, (20, width), seed)
    index = np.random.default_rng(seed).integers(0, 20, n, dtype=np.int32)
    z = np.full(n * width + GUARD, 7, dtype)
    EMBEDDING["embed"][cores](table, index, z, n, width)
    assert_same_bits(z[: n * width], table[index].ravel())
    assert (z[n * width :] == dtype(7)).all()


@given(
    dtype=FLOATS,
    rows=st.one_of(st.integers(1, 200), st.sampled_from([64, 128])),
    columns=st.one_of(st.integers(1, 200), st.sampled_from([64, 1000])),
    cores=st.integers(1, 12),
    seed=st.integers(0, 99),
)
@settings(max_examples=25, deadline=None)
def test_transpose(dtype, rows, columns, cores, seed):
    x = bit_patterns(dtype, (rows, columns), seed)
    z = np.full(rows * columns + GUARD, 7, dtype)
    TRANSPOSE["transpose"][cores](x, z, rows, columns)
    assert_same_bits(z[: rows * columns], np.ascontiguousarray(x.T).ravel())
    assert (z[rows * columns :] == dtype(7)).all()


@given(
    dtype=FLOATS,
    width=st.sampled_from([1, 5, 8, 16, 17, 100, 1000, 4096, 8191]),
    rows=st.integers(0, 9),
    scale=st.sampled_from([1e-3, 1.0, 100.0]),
    cores=st.integers(1, 12),
    seed=st.integers(0, 99),
)
@settings(max_examples=25, deadline=None)
def test_rms_norm(dtype, width, rows, scale, cores, seed):
    rng = np.random.default_rng(seed)
    x = (rng.standard_normal((rows, width)) * scale).astype(dtype)
    weight = rng.uniform(-2, 2, width).astype(dtype)
    z = RMS_NORM["run"](x, weight, cores=cores)
    assert RMS_NORM["largest_error"](z, RMS_NORM["reference"](x, weight)) <= RMS_NORM["error_bound"](dtype, width)


@given(
    dtype=FLOATS,
    rows=st.integers(0, 9),
    n=st.one_of(st.integers(1, 300), st.sampled_from([1024, 4095, 4096, 4097, 8193, 60_000])),
    mean=st.sampled_from([0.0, -1.0, 30.0]),
    scale=st.sampled_from([0.0, 1e-3, 1.0, 20.0]),
    cores=st.integers(1, 12),
    seed=st.integers(0, 99),
)
@settings(max_examples=40, deadline=None)
def test_layer_norm(dtype, rows, n, mean, scale, cores, seed):
    """Against float64, with the error that the lesson states. Rows of equal elements have only epsilon to divide by."""
    rng = np.random.default_rng(seed)
    x = (rng.standard_normal((rows, n)) * scale + mean).astype(dtype)
    gamma, beta = rng.uniform(-2, 2, n).astype(dtype), rng.standard_normal(n).astype(dtype)
    z = LAYER_NORM["run"](x, gamma, beta, cores=cores).astype(np.float64)
    assert (abs(z - LAYER_NORM["reference"](x, gamma, beta)) <= LAYER_NORM["error_bound"](x, gamma, beta)).all()


def test_layer_norm_writes_nothing_else():
    x, parameter = np.ones((3, 17), np.float16), np.ones(17, np.float16)
    z = np.full(3 * 17 + GUARD, 7, np.float16)
    LAYER_NORM["layer_norm"][2](x, parameter, parameter, z, 3, 17, 1e-5)
    assert (z[: 3 * 17] == 1).all() and (z[3 * 17 :] == 7).all()


@given(
    dtype=st.sampled_from([np.float32, np.float16, ml_dtypes.bfloat16, np.int8, np.int32]),
    rows=st.integers(0, 60),
    n=st.one_of(st.integers(0, 70), st.sampled_from([4096, 8191, 8193, 20_000])),
    cores=st.integers(1, 48),
    seed=st.integers(0, 99),
)
@settings(max_examples=60, deadline=None)
def test_atomic_sum(dtype, rows, n, cores, seed):
    rng = np.random.default_rng(seed)
    is_float = np.dtype(dtype).kind != "i"
    x = (rng.standard_normal((rows, n)) if is_float else rng.integers(-128, 128, (rows, n))).astype(dtype)
    out = np.zeros(n + GUARD, dtype)
    ATOMIC["add_rows"][cores](x, out, rows, n)
    if is_float:
        error = np.abs(out[:n].astype(np.float64) - x.astype(np.float64).sum(axis=0))
        assert (error <= ATOMIC["most_error"](x, float(ml_dtypes.finfo(dtype).eps) / 2)).all()
    else:
        np.testing.assert_array_equal(out[:n], x.sum(axis=0, dtype=dtype))
    assert (out[n:] == 0).all()
