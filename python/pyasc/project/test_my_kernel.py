import numpy as np
import pytest
from my_kernel import my_kernel, run


@pytest.mark.parametrize("n", [1, 7, 4096, 100_003])
def test_against_numpy(n: int) -> None:
    x = np.random.default_rng(n).standard_normal(n, dtype=np.float32)
    np.testing.assert_array_equal(run(x, 2.0, 1.0), np.float32(2.0) * x + np.float32(1.0))


@pytest.mark.parametrize("seed", range(4))
def test_no_order_is_missing(seed: int) -> None:
    """Adversarial mode delays every effect as far as the flags allow: a missing flag shows as a wrong number."""
    x, y = np.ones(10_000, np.float32), np.zeros(10_000, np.float32)
    my_kernel.options(check="adversarial", seed=seed)[2](x, y, 2.0, 1.0, len(x))
    np.testing.assert_array_equal(y, 3)
