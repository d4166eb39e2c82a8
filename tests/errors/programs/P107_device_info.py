# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The simulator knows no memory frequencies.
import asc.lib.runtime as rt

rt.device_info(rt.DeviceModuleType.RT_MODULE_TYPE_SYSTEM, rt.DeviceInfoType.INFO_TYPE_CORE_NUM)
