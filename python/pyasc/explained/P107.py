# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc.lib.runtime as rt

# %% wrong: the simulator has no system around its cores
rt.device_info(rt.DeviceModuleType.RT_MODULE_TYPE_SYSTEM, rt.DeviceInfoType.INFO_TYPE_CORE_NUM)

# %% right: it has the cores
cores = rt.device_info(rt.DeviceModuleType.RT_MODULE_TYPE_AICORE, rt.DeviceInfoType.INFO_TYPE_CORE_NUM)
assert cores > 0
