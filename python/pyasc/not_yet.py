# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of the interface that this version may not have yet: messages tell them from misspelt ones. What is there is not looked up here."""

_ASC = """
AtomicDtype AtomicOp CacheLine CacheMode CacheRwMode CheckLocalMemoryIAParam DcciDst
ListTensorDesc MemDsbT TensorDesc check_local_memory_ia data_cache_clean_and_invalid
data_cache_preload data_sync_barrier get_arch_version get_hccl_context get_icache_preload_status get_program_counter
get_store_atomic_config get_sys_workspace get_system_cycle icache_preload set_atomic_add set_atomic_max set_atomic_min set_atomic_none
set_atomic_type set_hccl_context set_store_atomic_config set_sys_workspace
"""
_ADV = """
MatmulApiStaticTiling MatmulBatchParams MatmulFuncParams MatmulQuantParams MatmulShapeParams QuantConfig RmsNormTiling SoftmaxTiling acos
acosh asin asinh atan atanh axpy ceil cos cosh digamma erf erfc exp floor frac get_basic_config get_ib_share_norm_config
get_matmul_api_tiling get_mdl_config get_mm_config get_normal_config get_special_basic_config get_special_mdl_config lgamma log power
quant rmsnorm round sign sin sinh softmax tan tanh trunc xor
"""


def is_known(path):
    """Whether a module and a name in it, such as asc.sqrt, are of the interface."""
    module, _, name = path.rpartition(".")
    names = {"asc": _ASC, "asc.adv": _ADV, "asc.language.adv": _ADV}.get(module, "")
    return name in names.split()
