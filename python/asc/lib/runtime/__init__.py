# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device runtime where it means something on the simulator: one device, and streams whose launches are over when their call returns."""

from _thread import _local as local  # without threading, which kernels need not
from enum import Enum

from pyasc import _core, errors

from asc.runtime.config import Backend, Platform, set_platform


class CoreType(Enum):
    AiCore = "AiCore"
    VectorCore = "VectorCore"
    CubeCore = "CubeCore"
    AiCpu = "AiCpu"


class DeviceModuleType(Enum):
    RT_MODULE_TYPE_SYSTEM = 0
    RT_MODULE_TYPE_AICPU = 1
    RT_MODULE_TYPE_CCPU = 2
    RT_MODULE_TYPE_DCPU = 3
    RT_MODULE_TYPE_AICORE = 4
    RT_MODULE_TYPE_TSCPU = 5
    RT_MODULE_TYPE_PCIE = 6
    RT_MODULE_TYPE_VECTOR_CORE = 7
    RT_MODULE_TYPE_HOST_AICPU = 8


class DeviceInfoType(Enum):
    INFO_TYPE_ENV = 0
    INFO_TYPE_VERSION = 1
    INFO_TYPE_MASTERID = 2
    INFO_TYPE_CORE_NUM = 3
    INFO_TYPE_OS_SCHED = 4
    INFO_TYPE_IN_USED = 5
    INFO_TYPE_ERROR_MAP = 6
    INFO_TYPE_OCCUPY = 7
    INFO_TYPE_ID = 8
    INFO_TYPE_IP = 9
    INFO_TYPE_ENDIAN = 10
    INFO_TYPE_CUBE_NUM = 2002410074


class Stream:
    """A queue of launches. On the simulator each launch is over when its call returns."""

    __asc_stream__ = True
    __slots__ = ("priority",)

    def __init__(self, priority=0):
        self.priority = priority


_thread = local()


def use_model(custom_lib_prefix=None):
    """Selects the simulator."""
    set_platform(Backend.Model, current_platform())


def use_npu(custom_lib_prefix=None):
    """Selects the NPU; says what is missing for it."""
    set_platform(Backend.NPU)


def is_model():
    return True


def is_initialized():
    return True


def is_available():
    return True


def set_soc_version(soc_version):
    set_platform(Backend.Model, soc_version)


def get_soc_version():
    return Platform(current_platform())


def current_platform():
    """Name of the chip."""
    return _core.current_target()


def check_device_handle(device_id):
    if not isinstance(device_id, int) or isinstance(device_id, bool) or device_id != 0:
        raise errors.error("P106", f"device {device_id!r} does not exist", "the simulator has one device, number 0")


def default_device():
    return 0


def current_device():
    return 0


def device_count():
    return 1


def set_device(device_id):
    check_device_handle(device_id)


def reset_device(device_id=None):
    """Forgets the streams of this thread."""
    check_device_handle(0 if device_id is None else device_id)
    _thread.__dict__.clear()


def device_info(module_type, info_type, device_id=None):
    """A property of the device; the simulator knows the number of cores."""
    check_device_handle(0 if device_id is None else device_id)
    cores = _core.vector_cores(current_platform())
    known = {
        (DeviceModuleType.RT_MODULE_TYPE_VECTOR_CORE, DeviceInfoType.INFO_TYPE_CORE_NUM): cores,
        (DeviceModuleType.RT_MODULE_TYPE_AICORE, DeviceInfoType.INFO_TYPE_CORE_NUM): cores // 2,
        (DeviceModuleType.RT_MODULE_TYPE_AICORE, DeviceInfoType.INFO_TYPE_CUBE_NUM): cores // 2,
    }
    if (module_type, info_type) not in known:
        help = "it knows INFO_TYPE_CORE_NUM of RT_MODULE_TYPE_AICORE and RT_MODULE_TYPE_VECTOR_CORE"
        raise errors.error("P107", f"the simulator has no {info_type} of {module_type}", help)
    return known[module_type, info_type]


def current_stream(device_id=None):
    """The stream of this thread, made on demand."""
    check_device_handle(0 if device_id is None else device_id)
    if not hasattr(_thread, "stream"):
        _thread.stream = Stream()
    return _thread.stream


def create_stream(priority=0):
    return Stream(priority)


def _check_stream(stream_handle):
    if stream_handle is not None and not isinstance(stream_handle, Stream):
        help = "make one with pyasc.Stream()"
        raise errors.error("K105", f"stream: got {stream_handle!r}, expected a stream or None", help)


def destroy_stream(stream_handle):
    _check_stream(stream_handle)


def synchronize(stream_handle=None, timeout=0):
    """Waits for a stream; on the simulator its launches are over."""
    _check_stream(stream_handle)


def synchronize_device():
    """Waits for the device; on the simulator its launches are over."""


__all__ = [
    "CoreType",
    "DeviceInfoType",
    "DeviceModuleType",
    "Stream",
    "check_device_handle",
    "create_stream",
    "current_device",
    "current_platform",
    "current_stream",
    "default_device",
    "destroy_stream",
    "device_count",
    "device_info",
    "get_soc_version",
    "is_available",
    "is_initialized",
    "is_model",
    "reset_device",
    "set_device",
    "set_soc_version",
    "synchronize",
    "synchronize_device",
    "use_model",
    "use_npu",
]
