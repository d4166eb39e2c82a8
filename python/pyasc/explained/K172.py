# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc

import pyasc


@pyasc.kernel("endless_turns", inputs=(), outputs=("z",), attributes={"step": 0}, tiling=lambda: [1, 1, 1, 1])
@asc.jit
def endless_turns(z: asc.GlobalAddress, step: int):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, 1)
    i = 0
    while i < 10:
        i = (i + step) % 1000
    z_gm.set_value(0, i)


stream, z = pyasc.Stream(), pyasc.Tensor(1, pyasc.int32)
kernel = pyasc.Kernel("endless_turns")
kernel.set_output(0, z)

# %% wrong: the launch never ends by itself, and its result is read
stream.launch(kernel)
stream.cancel()
z.to_numpy()

# %% right: a launch that ends
kernel.set_attr("step", 1)
stream.launch(kernel)
assert z.to_numpy()[0] == 10
