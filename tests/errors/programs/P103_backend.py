# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A backend that does not exist.
import asc

asc.runtime.config.set_platform("GPU")
