# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# There is no NPU backend here.
import asc

asc.runtime.config.set_platform(asc.runtime.config.Backend.NPU)
