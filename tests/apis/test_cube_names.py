# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The names of the cube core: functions whose calls are refused, structures with their defaults, enumerations with Ascend C's numbers; and
# the names of upstream's core that are no functions of the device: constants, shapes, options.
import dataclasses
import inspect

import asc
import numpy as np
import pytest
from asc.language.core import cube_types
from pyasc import _core
from support.kernel_file import load
from support.refusals import diagnostics_of, text_of

FUNCTIONS = {function["name"]: function for function in _core.cube_functions()}
FRAME = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x, 64)
    a1 = asc.LocalTensor(asc.float16, asc.TPosition.A1, 0, 256)
"""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_calls_are_refused(name):
    function = FUNCTIONS[name]
    required = [part for part in function["signature"].split(", ") if "=" not in part]
    kernel = load(f"{FRAME}    asc.{name}({', '.join('n' for _ in required)})\n").kernel
    found = diagnostics_of(lambda: kernel.compile(np.zeros(64, np.float32), 1))
    assert found[0].code == "T403" and found[0].span.line == 9
    assert f"{name}(): the instructions of the cube core are not supported yet" in found[0].message and found[0].help
    assert getattr(asc, name).__doc__ == function["doc"] and _core.reference()["cube"].count(function) == 1


def test_wrong_arguments_are_told_first():
    kernel = load(f"{FRAME}    asc.mmad(a1)\n").kernel
    assert diagnostics_of(lambda: kernel.compile(np.zeros(64, np.float32), 1))[0].code == "L401"


@pytest.mark.parametrize("name", cube_types.STRUCTURES)
def test_structures(name):
    """By name and by position, on the host and in a kernel, with the defaults that are documented."""
    cls, (_, fields) = getattr(asc, name), cube_types.STRUCTURES[name]
    needed = {field: 3 for field, (default, _) in fields.items() if default is cube_types.NEEDED}
    made = cls(**needed)
    for field, (default, _) in fields.items():
        assert getattr(made, field) == (3 if field in needed else default)
    assert made == cls(*[getattr(made, field) for field in fields])
    assert list(inspect.signature(cls).parameters) == list(fields)
    text = ", ".join(f"{field}=n" for field in list(fields)[:2])
    text += "".join(f", {field}=3" for field in needed if f"{field}=" not in text)
    load(f"{FRAME}    params = asc.{name}({text})\n").kernel.compile(np.zeros(64, np.float32), 1)


def test_predefined_configurations():
    assert asc.FixpipeConfig.cfg_nz() == asc.FixpipeConfig(asc.CO2Layout.NZ) != asc.FixpipeConfig.cfg_row_major()


def test_enumerations_have_the_numbers_of_ascend_c():
    assert asc.QuantModes.DEQF16 == 11 and asc.QuantModes.QF322B8_PRE == 24
    assert asc.LayoutMode.NORMAL == 4 and asc.MatmulConfigMode.CONFIG_NORM == 0
    assert asc.CubeFormat.NZ == 1 and asc.BlockMode.BLOCK_MODE_DEPTHWISE == 4 and asc.pad_t.PAD_MODE8 == 8


def test_structures_of_copies():
    assert asc.DataCopyEnhancedParams().block_mode is asc.BlockMode.BLOCK_MODE_NORMAL
    assert asc.DataCopyCO12DstParams(1, 2, 3, 4).quant_pre is asc.QuantModes.NoQuant
    assert "block_mode" in str(inspect.signature(asc.DataCopyEnhancedParams))


def test_a_kernel_makes_them():
    text = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress):
    asc.static_assert(asc.FixpipeConfig.cfg_nz() == asc.FixpipeConfig(asc.CO2Layout.NZ))
    asc.static_assert(asc.FixpipeConfig.cfg_row_major() != asc.FixpipeConfig.cfg_nz())
"""
    load(text).kernel[1](np.zeros(8, np.int32))


def test_constants():
    text = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x, 4)
    gm.set_value(0, asc.property(asc.ONE_BLK_SIZE))
    gm.set_value(1, asc.property(asc.DEFAULT_C0_SIZE))
    gm.set_value(2, asc.property(asc.TOTAL_L1_SIZE))
    gm.set_value(3, asc.property(prop=asc.TOTAL_L0C_SIZE))
"""
    x = np.zeros(4, np.int32)
    load(text).kernel[1](x)
    assert list(x) == [32, 32, 512 * 1024, 128 * 1024]
    kernel = load(f"{FRAME}    asc.property(32)\n").kernel
    found = diagnostics_of(lambda: kernel.compile(np.zeros(64, np.float32), 1))[0]
    assert found.code == "T103" and "asc.ONE_BLK_SIZE" in text_of(found)


def test_size_of_a_shape():
    text = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x, 2)
    gm.set_value(0, asc.get_shape_size(asc.ShapeInfo(asc.array(asc.uint32, [3, n, 5]))))
    gm.set_value(1, asc.get_shape_size(asc.ShapeInfo()))
"""
    x = np.zeros(2, np.int32)
    load(text).kernel[1](x, 7)
    assert list(x) == [105, 1]
    kernel = load(f"{FRAME}    asc.get_shape_size(n)\n").kernel
    assert diagnostics_of(lambda: kernel.compile(np.zeros(64, np.float32), 1))[0].code == "T103"


def test_tensor_shape():
    from asc.language.core.types import TensorShape

    assert TensorShape() == TensorShape(None) == () and TensorShape(3) == (3,)
    assert TensorShape(3, 4) == TensorShape([3, 4]) == TensorShape(TensorShape(3, 4)) == (3, 4)
    for wrong in ("ab", 1.5, [1, 2.0], True):
        with pytest.raises(TypeError, match="expected an int"):
            TensorShape(wrong)


@pytest.mark.parametrize("cls", [asc.CodegenOptions, asc.CompileOptions, asc.LaunchOptions])
def test_options_are_dataclasses(cls):
    made = cls()
    assert [field.name for field in dataclasses.fields(cls)] == list(dataclasses.asdict(made))
    name = dataclasses.fields(cls)[0].name
    value = {"capture_exceptions": False, "debug": True, "core_num": 7}[name]
    assert getattr(dataclasses.replace(made, **{name: value}), name) == value
