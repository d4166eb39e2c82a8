# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix multiplication on the cube core."""

from pyasc._core import Matmul, register_matmul

from asc.language.core.dtype import DataType
from asc.language.core.enums import CubeFormat, IterateOrder, LayoutMode, TPosition


class _Value:
    """Compared and shown by its fields, which do not change."""

    __slots__ = ()

    def _key(self):
        return tuple(getattr(self, name) for name in self.__slots__)

    def __setattr__(self, name, value):
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __eq__(self, other):
        return self._key() == other._key() if type(other) is type(self) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"

    def __reduce__(self):
        return type(self), self._key()


class MatmulType(_Value):
    """One matrix of a Matmul.

    position: where it is; asc.TPosition.GM.
    format: the order of its elements; asc.CubeFormat.ND, row after row.
    dtype: A and B int8 with C and bias int32; float16 with C and bias float32 or float16; bfloat16 or float32 with C float32, float16 or
    bfloat16 and a bias of float32.
    is_trans: whether it may be passed transposed.
    layout: of a batch; asc.LayoutMode.NONE.
    """

    __slots__ = ("dtype", "format", "is_trans", "layout", "position")
    __asc_matmul_type__ = True

    def __init__(
        self, position: TPosition, format: CubeFormat, dtype: DataType, is_trans: bool = False, layout: LayoutMode = LayoutMode.NONE
    ) -> None:
        for name, value in (("position", position), ("format", format), ("dtype", dtype), ("is_trans", is_trans), ("layout", layout)):
            object.__setattr__(self, name, value)

    def __reduce__(self):
        return MatmulType, (self.position, self.format, self.dtype, self.is_trans, self.layout)


class MatmulConfig(_Value):
    """How a Matmul works, as Ascend C has it; of all fields, iterate_order is the one that may differ from its default.

    iterate_order: the axis along which blocks are computed first, asc.IterateOrder.ORDER_M or ORDER_N; UNDEF: as the tiling says.
    """

    _DEFAULTS = {  # noqa: RUF012
        "do_norm": True,
        "do_basic_block": False,
        "do_multi_data_load": False,
        "basic_m": 0,
        "basic_n": 0,
        "basic_k": 0,
        "intrinsics_check": False,
        "is_n_batch": False,
        "en_vec_nd2nz": False,
        "do_special_basic_block": False,
        "do_mte2_preload": 0,
        "single_core_m": 0,
        "single_core_n": 0,
        "single_core_k": 0,
        "step_m": 0,
        "step_n": 0,
        "base_mn": 0,
        "single_core_mn": 0,
        "en_unit_flag": True,
        "is_per_tensor": False,
        "has_anti_quant_offset": False,
        "do_ib_share_norm": False,
        "do_special_mdl": False,
        "enable_init": True,
        "batch_mode": 1,
        "enable_end": True,
        "enable_get_tensor_c": True,
        "enable_set_org_shape": True,
        "enable_set_bias": True,
        "enable_set_tail": True,
        "enable_quant_vector": True,
        "enable_set_define_data": True,
        "iterate_mode": 255,
        "enable_reuse": True,
        "enable_ub_reuse": False,
        "enable_l1_cache_ub": False,
        "intra_block_part_sum": False,
        "iterate_order": IterateOrder.UNDEF,
        "schedule_type": 0,
        "enable_double_cache": 0,
        "is_bias_batch": True,
        "enable_static_pad_zeros": False,
        "is_partial_output": False,
        "enable_mix_dual_master": False,
        "is_a2b2_shared": False,
        "is_enable_channel_split": False,
        "enable_kdim_reorder_load": False,
        "is_co1_shared": False,
        "shared_co1_buffer_size": 65536,
        "batch_out_mode": 0,
    }
    __slots__ = tuple(_DEFAULTS)
    __asc_matmul_config__ = True

    def __init__(self, *values, **named):
        names = tuple(self._DEFAULTS)
        given = dict(zip(names, values, strict=False))
        if len(values) > len(names) or not named.keys() <= set(names) or given.keys() & named.keys():
            raise TypeError(f"MatmulConfig() takes the fields {', '.join(names)}, each once")
        for name, default in self._DEFAULTS.items():
            object.__setattr__(self, name, given.get(name, named.get(name, default)))

    def changed(self):
        """The names of the fields that differ from their defaults."""
        return [name for name, default in self._DEFAULTS.items() if getattr(self, name) != default]


__all__ = ["Matmul", "MatmulConfig", "MatmulType", "register_matmul"]
