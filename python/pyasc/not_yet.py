# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of the interface that this version may not have yet: messages tell them from misspelt ones. What is there is not looked up here."""

_ADV = """
MatmulApiStaticTiling MatmulBatchParams MatmulFuncParams MatmulQuantParams MatmulShapeParams QuantConfig RmsNormTiling SoftmaxTiling acos
acosh asin asinh atan atanh axpy ceil cos cosh digamma erf erfc exp floor frac get_basic_config get_ib_share_norm_config
get_matmul_api_tiling get_mdl_config get_mm_config get_normal_config get_special_basic_config get_special_mdl_config lgamma log power
quant rmsnorm round sign sin sinh softmax tan tanh trunc xor
"""


def names():
    """All of them, as users write them."""
    return [f"asc.adv.{name}" for name in _ADV.split()]


def is_known(path):
    """Whether a module and a name in it, such as asc.adv.erf, are of the interface."""
    return path.replace("asc.language.adv.", "asc.adv.") in names()
