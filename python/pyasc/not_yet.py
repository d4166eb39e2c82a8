# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of the interface that this version may not have yet: messages tell them from misspelt ones. What is there is not looked up here."""

_ASC = """
AippChannelPaddingParams AippColorSpaceConvParams AippDataTypeConvParams AippInputFormat AippPaddingParams AippParams AippSingleLineParams
AippSwapParams AtomicDtype AtomicOp BatchMode BlockMode BrcbRepeatParams CO2Layout CacheLine CacheMode CacheRwMode CheckLocalMemoryIAParam
CopyRepeatParams CubeFormat DataCopyCO12DstParams DataCopyEnhancedParams DcciDst FixpipeConfig FixpipeParamsV220 GatherRepeatParams
InitConstValueParams IterateMode IterateOrder LayoutMode ListTensorDesc LoadData2DParams LoadData2DParamsV2 LoadData2dTransposeParams
LoadData2dTransposeParamsV2 LoadData3DParamsV1 LoadData3DParamsV2 LoadData3DParamsV2Pro LoadDataRepeatParam LoadImageToLocalParams
MatmulConfigMode MemDsbT MmadParams Nd2NzParams Nz2NdParamsFull QuantModes ScheduleType SliceInfo TensorDesc TransDataTo5HDParams
TransposeParamsExt TransposeType bitwise_not brcb check_local_memory_ia copy data_cache_clean_and_invalid data_cache_preload
data_sync_barrier fixpipe gather gatherb get_arch_version get_hccl_context get_icache_preload_status get_program_counter get_shape_size
get_store_atomic_config get_sys_workspace get_system_cycle icache_preload init_const_value inline ln load_data load_data_with_sparse
load_data_with_transpose load_image_to_local mmad mmad_with_sparse pad_t property reciprocal rsqrt scatter set_aipp_functions
set_atomic_add set_atomic_max set_atomic_min set_atomic_none set_atomic_type set_fix_pipe_pre_quant_flag set_hccl_context set_hf32_mode
set_hf32_trans_mode set_load_data_boundary set_load_data_padding_value set_load_data_repeat set_mm_layout_transform
set_store_atomic_config set_sys_workspace sqrt trans_data_to_5hd transpose
"""
_ADV = """
Matmul MatmulApiStaticTiling MatmulBatchParams MatmulConfig MatmulFuncParams MatmulQuantParams MatmulShapeParams MatmulType QuantConfig
RmsNormTiling SoftmaxTiling acos acosh asin asinh atan atanh axpy ceil cos cosh digamma erf erfc exp floor frac get_basic_config
get_ib_share_norm_config get_matmul_api_tiling get_mdl_config get_mm_config get_normal_config get_special_basic_config
get_special_mdl_config lgamma log power quant register_matmul rmsnorm round sign sin sinh softmax tan tanh trunc xor
"""


def is_known(path):
    """Whether a module and a name in it, such as asc.sqrt, are of the interface."""
    module, _, name = path.rpartition(".")
    names = {"asc": _ASC, "asc.adv": _ADV, "asc.language.adv": _ADV}.get(module, "")
    return name in names.split()
