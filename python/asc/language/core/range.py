# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Markers for the loops of a kernel."""

from pyasc import errors


class range:
    """Loop that runs on the device, as the builtin range does in a kernel."""

    __asc_range__ = "run-time"
    __slots__ = ("start", "step", "stop")

    def __init__(self, *bounds):
        if not 1 <= len(bounds) <= 3:
            forms = "(stop), (start, stop) or (start, stop, step)"
            raise errors.error("K152", f"asc.{type(self).__name__}: got {len(bounds)} arguments, expected {forms}")
        self.start, self.stop, self.step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]

    def __iter__(self):
        raise errors.error("K152", f"asc.{type(self).__name__} is iterated in kernels only", "use range in plain Python")


class static_range(range):
    """Loop that is unrolled while the kernel is compiled; the loop variable is a Python int."""

    __asc_range__ = "static"
    __slots__ = ()


__all__ = ["range", "static_range"]
