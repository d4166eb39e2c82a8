# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The simulator has device 0 only.
import asc

asc.runtime.config.set_platform(asc.runtime.config.Backend.Model, device_id=3)
