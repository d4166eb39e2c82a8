# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which chip kernels run on."""

import os
from enum import Enum

from pyasc import _core, errors


class Backend(Enum):
    Model = "Model"
    NPU = "NPU"


Platform = Enum(
    "Platform",
    {
        "Ascend910B1": "Ascend910B1",
        "Ascend910B2": "Ascend910B2",
        "Ascend910B2C": "Ascend910B2C",
        "Ascend910B3": "Ascend910B3",
        "Ascend910B4": "Ascend910B4",
        "Ascend910B4_1": "Ascend910B4-1",
        "Ascend910_9362": "Ascend910_9362",
        "Ascend910_9372": "Ascend910_9372",
        "Ascend910_9381": "Ascend910_9381",
        "Ascend910_9382": "Ascend910_9382",
        "Ascend910_9391": "Ascend910_9391",
        "Ascend910_9392": "Ascend910_9392",
    },
    module=__name__,
)


class KernelType(Enum):
    AIV_ONLY = 0
    AIC_ONLY = 1
    MIX_AIV_HARD_SYNC = 2
    MIX_AIC_HARD_SYNC = 3
    MIX_AIV_1_0 = 4
    MIX_AIC_1_0 = 5
    MIX_AIC_1_1 = 6
    MIX_AIC_1_2 = 7


def _choose(value, enum, code, what):
    """The member that a value names; names are compared without case."""
    if isinstance(value, enum):
        return value
    names = {text.lower(): member for member in enum for text in (member.name, member.value)}
    if isinstance(value, str) and value.lower() in names:
        return names[value.lower()]
    near = errors.nearest(value.lower(), names, cutoff=0.5) if isinstance(value, str) else None
    hint = f"did you mean {enum.__name__}.{names[near].name}? " if near else ""
    raise errors.error(code, f"unknown {what} {value!r}", f"{hint}there are: {', '.join(member.name for member in enum)}")


def missing_for_npu():
    """What a launch on an NPU lacks on this machine."""
    missing = []
    if not os.environ.get("ASCEND_HOME_PATH"):
        missing.append("the CANN toolkit (ASCEND_HOME_PATH is not set)")
    import shutil

    if not shutil.which(os.environ.get("PYASC_COMPILER", "bisheng")):
        missing.append("CANN's compiler (bisheng is not on PATH)")
    if not os.path.exists("/dev/davinci0"):
        missing.append("the NPU driver (there is no /dev/davinci0)")
    missing.append("a version of pyasc that launches on NPUs (this one writes the Ascend C text: kernel.compile(...).ascendc)")
    return missing


def set_platform(backend, soc_version=None, device_id=None, check=True):
    """Chooses backend, chip and device for the launches of this process. Without a call: the simulator of an Ascend910B1."""
    backend = _choose(backend, Backend, "P103", "backend")
    if backend is Backend.NPU:
        missing = "; ".join(missing_for_npu())
        raise errors.error("P101", f"no NPU backend on this machine; missing: {missing}", "use Backend.Model, the simulator")
    if isinstance(soc_version, str) and soc_version.lower() == "ascend910":
        print("pyasc: platform ascend910 is taken as Ascend910B1")
        soc_version = Platform.Ascend910B1
    platform = Platform.Ascend910B1 if soc_version is None else _choose(soc_version, Platform, "P102", "platform")
    chips = _core.chips()
    if platform.value not in chips:
        raise errors.error("P102", f"the simulator has no timing facts for {platform.value}", f"it has them for: {', '.join(chips)}")
    if device_id not in (None, 0):
        raise errors.error("P106", f"device {device_id!r} does not exist", "the simulator has one device, number 0")
    _core.set_current_target(platform.value)


__all__ = ["Backend", "KernelType", "Platform", "set_platform"]
