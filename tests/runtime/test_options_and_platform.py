# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Options of kernels, the platform, the device runtime's names, reports and the command.
import os
import subprocess
import sys

import asc
import asc.lib.runtime as rt
import numpy as np
import pyasc.checks
import pytest
from asc.runtime import config
from pyasc import _core, errors
from runtime_kernels import add, copy


def code_of(action):
    with pytest.raises(errors.PyascError) as caught:
        action()
    return caught.value.code


def test_all_options_of_upstream_are_known():
    names = "debug strip_loc verify_sync print_ir_before_all run_passes kernel_type opt_level auto_sync auto_sync_log bisheng_options"
    names += " always_compile matmul_cube_only insert_sync capture_exceptions ir_multithreading core_num stream"
    from asc.runtime.options import OPTIONS, Options

    assert set(names.split()) <= set(OPTIONS) and list(Options.__annotations__) == list(OPTIONS)
    for option in OPTIONS.values():
        asc.jit(lambda: None, **{option.name: option.default})
        for documented in asc.jit, copy.options:
            assert f"\n    {option.name} ({option.default!r}): {option.meaning}\n" in documented.__doc__
    assert asc.CompileOptions(opt_level=2).opt_level == 2
    assert asc.CodegenOptions().capture_exceptions is True
    assert asc.LaunchOptions(core_num=4).core_num == 4


def test_what_a_kernel_was_made_with():
    kernel = asc.jit(opt_level=2, core_num=3)(copy.fn)
    assert kernel.default_options["opt_level"] == 2 and kernel.default_options["check"] is None
    assert kernel.launch_options == asc.LaunchOptions(core_num=3) != asc.LaunchOptions(core_num=4)
    assert {kernel.launch_options: 1}[asc.LaunchOptions(core_num=3, stream=None)] == 1
    assert asc.CompileOptions() == asc.CompileOptions(opt_level=3) != asc.LaunchOptions()
    assert kernel.options(opt_level=1).default_options["opt_level"] == 1
    with pytest.raises(TypeError):
        kernel.default_options["check"] = False
    with pytest.raises(AttributeError, match="core_num=4"):
        kernel.launch_options.core_num = 4
    assert kernel.cache_key == ""
    assert kernel.compile(asc.float32, asc.float32, 32).key == kernel.cache_key != ""


def test_the_ir_before_every_pass(capfd):
    kernel = copy.options(print_ir_before_all=True)
    for _ in range(2):  # what is in the cache is made again
        kernel.compile(asc.float32, asc.float32, 32)
        shown = capfd.readouterr().err
        assert "IR before simplify" in shown and "IR before merge_equal_values" in shown and shown.count("asc.data_copy") >= 4


def test_wrong_options():
    with pytest.raises(errors.LaunchError, match="did you mean 'check'") as caught:
        asc.jit(chekc=False)
    assert isinstance(caught.value, RuntimeError)
    wrong = [
        ("check", 1),
        ("opt_level", 0),
        ("arithmetic", "c"),
        ("max_cycles", 0),
        ("max_cycles", -1),
        ("max_cycles", 10**30),
        ("max_cycles", 2**63),
        ("threads", 1.5),
        ("threads", 10**30),
        ("threads", 2**31),
        ("seed", 2**32),
        ("seed", True),
        ("seed", np.zeros(1, np.int64)),
        ("kernel_type", "MIX_AIC_1_2"),
        ("insert_sync", 1),
        ("without_sync", -1),
    ]
    for name, value in wrong:
        given = {name: value}
        assert code_of(lambda: asc.jit(**given)) == "K141"  # noqa: B023
        assert code_of(lambda: copy.options(**given)) == "K141"  # noqa: B023
    assert code_of(lambda: copy.options(nothing=1)) == "K140"
    with pytest.raises(errors.LaunchError, match=r"expected a member of asc\.runtime\.config\.KernelType") as caught:
        asc.jit(kernel_type="MIX_AIC_1_2")
    assert caught.value.diagnostics[0].help == "write kernel_type=KernelType.MIX_AIC_1_2"
    with pytest.raises(errors.LaunchError) as caught:
        asc.jit(kernel_type=7)
    assert "AIV_ONLY, AIC_ONLY" in caught.value.diagnostics[0].help


def test_numbers_of_numpy_are_numbers():
    x, z = np.ones(32, np.float32), np.zeros(32, np.float32)
    limits = {"max_cycles": np.int64(2**62), "threads": np.uint8(2), "core_num": np.int32(1)}
    copy.options(check="adversarial", seed=np.uint32(2**32 - 1), **limits)(x, z, 32)
    assert z.all()
    copy.options(max_cycles=2**63 - 1, threads=2**31 - 1)[1](x, z, 32)
    pyasc.checks.force(True, np.int64(3))
    pyasc.checks.force(None)


def test_only_upstreams_options_are_keywords_of_a_call():
    x, z = np.ones(32, np.float32), np.zeros(32, np.float32)
    copy[1](x, z, 32, opt_level=2)
    assert z.all()
    assert code_of(lambda: copy[1](x, z, 32, check=False)) == "K112"


@pytest.mark.parametrize("name", ["debug", "opt_level", "core_num", "stream"])
def test_parameters_may_not_be_called_like_those_options(name):
    scope = {}
    exec(f"def kernel(x, *, {name}): pass", scope)
    assert code_of(lambda: asc.jit(scope["kernel"])) == "K114"


def test_parameters_of_kernels():
    @asc.jit
    def many(*values):
        pass

    assert code_of(lambda: many[1](1)) == "K114"

    @asc.jit
    def fine(dst: asc.GlobalAddress, check: int, seed: int):
        out = asc.GlobalTensor()
        out.set_global_buffer(dst, 1)
        out.set_value(0, check + seed)

    out = np.zeros(1, np.int32)
    fine[1](out, check=1, seed=2)
    assert out[0] == 3


def test_calls_without_brackets():
    x, z = np.ones(32, np.float32), np.zeros(32, np.float32)
    assert code_of(lambda: copy(x, z, 32)) == "K101"
    copy.options(core_num=1)(x, z, 32)
    assert z.all()


def test_kernel_attributes():
    assert (copy.__name__, copy.fn.__name__, add.__doc__) == ("copy", "copy", None)
    assert copy.src.startswith("@asc.jit\ndef copy(")
    assert copy.__asc_jit__ is copy.fn
    assert code_of(lambda: asc.jit(3)) == "K150"


def test_compiled_kernel():
    compiled = copy.compile(np.zeros(8, np.int16), np.zeros(8, np.int16), 8)
    assert "asc.kernel" in compiled.ir
    assert "__aicore__ void copy(" in compiled.ascendc
    assert "data_copy" in compiled.listing and "asc.data_copy(tile, src_gm, n)" in compiled.listing
    assert compiled.target == "Ascend910B1" and compiled.milliseconds > 0


def test_platform():
    assert code_of(lambda: config.set_platform("GPU")) == "P103"
    assert code_of(lambda: config.set_platform(config.Backend.NPU)) == "P101"
    with pytest.raises(ValueError, match="Ascend910B1"):
        config.set_platform("Model", "Ascend910B11")
    assert code_of(lambda: config.set_platform("Model", device_id=1)) == "P106"
    try:
        config.set_platform(config.Backend.Model, config.Platform.Ascend910B3)
        assert copy.compile(np.zeros(8, np.int16), np.zeros(8, np.int16), 8).target == "Ascend910B3"
        assert rt.get_soc_version() is config.Platform.Ascend910B3
    finally:
        config.set_platform("Model")
    assert rt.current_platform() == "Ascend910B1"


def test_old_platform_name_is_explained(capsys):
    config.set_platform("Model", "ascend910")
    assert "Ascend910B1" in capsys.readouterr().out


def test_device_runtime():
    assert (rt.device_count(), rt.current_device(), rt.is_model(), rt.is_available()) == (1, 0, True, True)
    assert rt.current_stream() is rt.current_stream()
    assert rt.device_info(rt.DeviceModuleType.RT_MODULE_TYPE_VECTOR_CORE, rt.DeviceInfoType.INFO_TYPE_CORE_NUM) == 48
    stream = rt.create_stream()
    x, z = np.ones(32, np.float32), np.zeros(32, np.float32)
    copy[1, stream](x, z, 32)
    rt.synchronize(stream)
    rt.synchronize_device()
    rt.destroy_stream(stream)
    assert z.all()
    assert code_of(lambda: rt.set_device(1)) == "P106"
    assert code_of(lambda: rt.synchronize(3)) == "K105"


def test_dry_run(monkeypatch):
    x, z = np.ones(32, np.float32), np.zeros(32, np.float32)
    monkeypatch.setenv("DRY_RUN", "1")
    copy[1](x, z, 32)
    assert not z.any()
    monkeypatch.setenv("DRY_RUN", "0")
    copy[1](x, z, 32)
    assert z.all()


def test_structures():
    strides = asc.BinaryRepeatParams(1, src0_blk_stride=2)
    assert (strides.dst_blk_stride, strides.src0_blk_stride, strides.dst_rep_stride) == (1, 2, 8)
    assert strides == asc.BinaryRepeatParams(1, 2) != asc.BinaryRepeatParams()
    assert eval(repr(strides), vars(asc)) == strides
    assert code_of(lambda: asc.BinaryRepeatParams(nothing=1)) == "K151"
    assert code_of(lambda: asc.BinaryRepeatParams(*range(9))) == "K151"
    assert code_of(lambda: asc.DataCopyPadExtParams()) == "K151"  # dtype has no default
    assert code_of(lambda: asc.VdeqInfo([1.0] * 15, [0] * 16, [True] * 16)) == "K151"
    assert code_of(lambda: asc.VdeqInfo([1.0] * 16, 0, [True] * 16)) == "K151"
    assert repr(asc.DataCopyPadExtParams(asc.float16, True)).endswith("is_pad=True, left_padding=0, right_padding=0, padding_value=0)")


def test_command():
    def command(*arguments):
        return subprocess.run([sys.executable, "-m", "pyasc", *arguments], capture_output=True, text=True)

    assert command("--version").stdout.startswith("pyasc 0.")
    listed = command("explain").stdout.splitlines()
    assert [line.split()[0] for line in listed] == sorted(code for code, _, _ in _core.codes())
    told = command("explain", "k103").stdout
    assert "65535" in told and "    fill[x.size // 128](x, 2.0)" in told and "    fill[-(-x.size // 128)](x, 2.0)" in told
    wrong = command("explain", "K999")
    assert wrong.returncode == 2 and "K999" in wrong.stderr
    assert "kernels" in command("cache").stdout


def test_the_reader_of_a_command_may_leave():
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb") as closed:
        run = subprocess.run([sys.executable, "-m", "pyasc", "explain"], stdout=closed, stderr=subprocess.PIPE, text=True)
    assert (run.returncode, run.stderr) == (0, "")
