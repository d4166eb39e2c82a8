# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pyasc

stream = pyasc.Stream()

# %% wrong: the event is in no stream yet
stream.wait(pyasc.Event())

# %% right: it is recorded before
event = stream.record()
stream.wait(event)
stream.synchronize()
assert event.query()
