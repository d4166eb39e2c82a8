# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A chip that nobody knows.
import asc

asc.runtime.config.set_platform(asc.runtime.config.Backend.Model, "Ascend1234")
