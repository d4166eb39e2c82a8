# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# dst = op src, element by element: every API x form x element type against its formula.
from decimal import Decimal, localcontext

import numpy as np
import pytest
from support.dtypes import assert_same, bits
from support.formulas import divided, exponential, relu
from support.kernel_file import load
from support.refusals import assert_dtypes_refused
from support.vector_api import COMMON_FORMS, VectorApi, check


def unary(name, formula, dtypes=("float16", "float32")):
    return VectorApi(name, formula, dtypes, sources=("src",), params="UnaryRepeatParams")


def in_double(function):
    """The result in float64, rounded: right unless it is within 2**-50 of the middle of two values, which the tests below look at."""
    return lambda a: function(a.astype(np.float64)).astype(a.dtype)


def inverse_root(a):
    return 1 / np.sqrt(a)


APIS = [
    unary("abs", np.abs),
    unary("exp", exponential),
    unary("relu", relu, ("float16", "int32", "float32")),
    unary("ln", in_double(np.log)),
    unary("sqrt", in_double(np.sqrt)),
    unary("rsqrt", in_double(inverse_root)),
    unary("reciprocal", lambda a: divided(np.ones_like(a), a)),
    unary("bitwise_not", np.invert, ("int16", "uint16")),
]
MATRIX = [pytest.param(api, dtype, id=f"{api.name}-{dtype}") for api in APIS for dtype in api.dtypes]


@pytest.mark.parametrize("form", COMMON_FORMS)
@pytest.mark.parametrize("api, dtype", MATRIX)
def test_results(api, dtype, form):
    check(api, form, dtype)


@pytest.mark.parametrize("api, dtype", MATRIX)
def test_in_place(api, dtype):
    check(api, "count", dtype, amount=12, operands=("dst", "dst"))


@pytest.mark.parametrize("api", APIS, ids=lambda api: api.name)
def test_other_dtypes_are_refused(api):
    assert_dtypes_refused(api)


def run(name, source):
    """The API on a whole array."""
    kernel = load(TEXT.replace("API", name).replace("DTYPE", source.dtype.name)).kernel
    tile = 8192
    padded = np.zeros(-(-source.size // (2 * tile)) * 2 * tile, source.dtype)
    padded[: source.size] = source
    result = np.empty_like(padded)
    kernel[2](padded, result, padded.size // 2 // tile)
    return result[: source.size]


TEXT = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, tiles: int):
    tile = asc.LocalTensor(asc.DTYPE, asc.TPosition.VECCALC, 0, 8192)
    x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
    start = asc.get_block_idx() * tiles * 8192
    x_gm.set_global_buffer(x + start, tiles * 8192)
    y_gm.set_global_buffer(y + start, tiles * 8192)
    for i in range(tiles):
        asc.data_copy(tile, x_gm[i * 8192], 8192)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.API(tile, tile, 8192)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.data_copy(y_gm[i * 8192], tile, 8192)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
"""


HALVES = np.arange(65536, dtype=np.uint16).view(np.float16)


def test_abs_keeps_the_payload_of_nan():
    floats = np.random.default_rng(5).integers(0, 2**32, 100_000, dtype=np.uint32).view(np.float32)
    for source, magnitude in ((HALVES, 0x7FFF), (floats, 0x7FFFFFFF)):
        assert (bits(run("abs", source)) == bits(source) & magnitude).all()


# ---------------------------------------------------------------- exp: correctly rounded


def assert_rounded(source, result):
    """Every result is the value of its type that is nearest to the exact e**source; none lies in the middle of two."""
    t, largest = result.dtype.type, np.finfo(result.dtype).max
    beyond = 2 * Decimal(float(largest)) - Decimal(float(np.nextafter(largest, t(0))))  # in place of infinity
    with localcontext() as context:
        context.prec = 80
        for x, y in zip(source, result, strict=True):
            values = (np.nextafter(y, t(0)), y, np.nextafter(y, t(np.inf)))
            below, value, above = (beyond if np.isinf(v) else Decimal(float(v)) for v in values)
            exact = Decimal(float(x)).exp()
            assert (below + value) / 2 < exact, f"exp({x!r}) gave {y!r}, which is too large"
            assert exact < (value + above) / 2 or np.isinf(y), f"exp({x!r}) gave {y!r}, which is too small"


def test_exp_of_every_half():
    result = run("exp", HALVES)
    finite = np.isfinite(HALVES)
    assert_rounded(HALVES[finite], result[finite])
    assert (bits(result[np.isnan(HALVES)]) == 0x7E00).all()
    assert result[HALVES == np.inf] == np.inf and result[HALVES == -np.inf] == 0


# The floats whose exponential is closest to the middle of two floats: 2**-52.6 to 2**-49 of it.
HARD = """-0x1.d2259ap+3 -0x1.e1dbe2p-8 -0x1.c1c4b8p-10 -0x1p-25 0x1.fdff02p-17 0x1.62b666p+1 0x1.036492p+1 0x1.8d7cb6p-12 0x1.cd3982p-14
0x1.747de2p-15 -0x1.548c34p-7 0x1.344e9cp-5 0x1.112856p+6 -0x1.6e1ddp-8 0x1.cce332p+0 -0x1.7acc62p+3 0x1.cb763ap-12 0x1.97f0f6p+4
0x1.fbff82p-18 0x1.f7ffc2p-19 0x1.efffe2p-20 0x1.dffff2p-21 0x1.bffffap-22 0x1.7ffffep-23"""


def test_exp_of_floats():
    rng = np.random.default_rng(7)
    hard = [float.fromhex(x) for x in HARD.split()]
    limits = [88.72283, 88.722839, 88.72284, -87.33654, -103.27892, -103.97207, -103.97208, -103.97209, -104]
    ordinary = [*rng.uniform(-104, 89, 3000), *(rng.choice([-1, 1], 3000) * 2.0 ** rng.uniform(-27, 6, 3000))]
    source = np.array([*hard, *limits, *ordinary], np.float32)
    assert_rounded(source, run("exp", source))
    special = np.array([np.inf, -np.inf, 0.0, -0.0, np.nan, 1e-45, 1e30, -1e30], np.float32)
    assert_same(run("exp", special), np.array([np.inf, 0, 1, 1, np.nan, 1, np.inf, 0], np.float32), "exp")


# ---------------------------------------------------------------- ln, sqrt, rsqrt and reciprocal: correctly rounded

ROUNDED = {  # in float64, and in decimals of 80 digits
    "ln": (np.log, Decimal.ln),
    "sqrt": (np.sqrt, Decimal.sqrt),
    "rsqrt": (inverse_root, lambda x: 1 / x.sqrt()),
    "reciprocal": (lambda a: 1 / a, lambda x: 1 / x),
}


def assert_nearest(name, source, result) -> int:
    """Every result is the value nearest to the exact one: float64 decides, and decimals where it cannot. Returns how often it cannot."""
    in_float64, in_decimals = ROUNDED[name]
    t = result.dtype.type
    with np.errstate(all="ignore"):
        exact = in_float64(source.astype(np.float64))
        want, one, other = (value.astype(t) for value in (exact, exact * (1 - 2.0**-50), exact * (1 + 2.0**-50)))
    nan = np.isnan(want)
    doubtful = (bits(one) != bits(other)) & ~nan
    same = (bits(result) == bits(want)) | doubtful | nan
    assert same.all(), f"{name}({source[~same][0]!r}) gave {result[~same][0]!r}, want {want[~same][0]!r}"
    assert (bits(result[nan]) == (0x7E00 if t is np.float16 else 0x7FC00000)).all()
    with localcontext() as context:
        context.prec = 80
        for x, y in zip(source[doubtful], result[doubtful], strict=True):
            value, nearest = in_decimals(Decimal(float(x))), abs(in_decimals(Decimal(float(x))) - Decimal(float(y)))
            for neighbour in (np.nextafter(y, t(-np.inf)), np.nextafter(y, t(np.inf))):
                away = abs(value - Decimal(float(neighbour)))
                assert nearest < away or (nearest == away and bits(y[None])[0] % 2 == 0), f"{name}({x!r}) gave {y!r}"
    return np.count_nonzero(doubtful)


@pytest.mark.parametrize("name", ROUNDED)
def test_every_half(name):
    assert_nearest(name, HALVES, run(name, HALVES))


# The floats whose result is closest to the middle of two floats: within 2**-50 of it.
CLOSE = {
    "ln": """0x1.b121a6p+76 0x1.bacb4ap+25 0x1.c09d7cp+27 0x1.5190cp+78 0x1.22d57p-65 0x1.2f1fd6p+3 0x1.827a74p-7 0x1.6351d8p+95
    0x1.b97c7p-14 0x1.d1309cp+62 0x1.cb534cp+13 0x1.f0ddep-8 0x1.cfd86ep+116 0x1.98496ep-39 0x1.917748p-100""",
    "rsqrt": "0x1.7431c6p+1 0x1.7431c6p+3 0x1.7431c6p-21",
}


@pytest.mark.parametrize("name", ROUNDED)
def test_floats(name):
    rng = np.random.default_rng(8)
    close = [float.fromhex(x) for x in CLOSE.get(name, "").split()]
    near_one = 1 + rng.choice([-1, 1], 20_000) * 2.0 ** rng.uniform(-24, -1, 20_000)
    patterns = rng.integers(0, 2**32, 200_000, dtype=np.uint32).view(np.float32)
    special = [0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 1.1754942e-38, 3.4028235e38, 2, 4, 0.25]
    source = np.concatenate([close, near_one, special]).astype(np.float32)
    source = np.concatenate([source, patterns])
    assert_nearest(name, source, run(name, source))


def test_results_that_are_not_numbers():
    x = np.array([0.0, -0.0, -1.0, -np.inf, np.inf], np.float32)
    inf, nan = np.inf, np.nan
    for name, want in {
        "ln": [-inf, -inf, nan, nan, inf],
        "sqrt": [0, -0.0, nan, nan, inf],
        "rsqrt": [inf, -inf, nan, nan, 0],
        "reciprocal": [inf, -inf, -1, -0.0, 0],
    }.items():
        for dtype in (np.float32, np.float16):
            assert_same(run(name, x.astype(dtype)), np.array(want, dtype), name)


@pytest.mark.long
@pytest.mark.parametrize("name", ROUNDED)
def test_every_float(name):
    near = 0
    for start in range(0, 2**32, 2**24):
        source = np.arange(start, start + 2**24, dtype=np.uint32).view(np.float32)
        near += assert_nearest(name, source, run(name, source))
    assert near < 2000


@pytest.mark.long
def test_exp_of_every_float():
    """float64 decides, and decimals where it cannot."""
    near = 0
    for start in range(0, 2**32, 2**24):
        source = np.arange(start, start + 2**24, dtype=np.uint32).view(np.float32)
        result = run("exp", source)
        with np.errstate(all="ignore"):
            exact = np.exp(source.astype(np.float64))
            want, low, high = (value.astype(np.float32) for value in (exact, exact * (1 - 2.0**-50), exact * (1 + 2.0**-50)))
        doubtful = (low != high) & ~np.isnan(source)
        assert ((bits(result) == bits(want)) | np.isnan(source) | doubtful).all(), hex(start)
        assert (bits(result[np.isnan(source)]) == 0x7FC00000).all(), hex(start)
        assert_rounded(source[doubtful], result[doubtful])
        near += np.count_nonzero(doubtful)
    assert near < 1000
